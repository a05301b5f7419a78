#include "engine/gpu_module.hpp"

#include <utility>

#include "cuda/arrays/gpu_array_sorter.hpp"
#include "device/device_info.hpp"
#include "engine/gpu/gpu_engine.hpp"
#include "engine/gpu/module/device_function_table.hpp"

namespace sortie {
namespace {

class CudaArraySorter : public DeviceArraySorter {
 public:
  CudaArraySorter(std::vector<int> devices, std::uint64_t device_memory_bytes, unsigned threads)
      : sorter_(std::move(devices), device_memory_bytes, threads) {}

  void sort(const KeyPart& numbers, std::span<const std::byte> input, std::span<std::byte> output) override {
    sorter_.sort({numbers.kind, numbers.bytes, numbers.descending}, input, output);
  }

  bool has_begun_output() const override { return sorter_.has_begun_output(); }

 private:
  cuda::GpuArraySorter sorter_;
};

class CudaGpus : public Gpus {
 public:
  UsableGpus require_devices(std::span<const int> wanted) const override {
    DeviceList list = sortie::require_devices(wanted);
    UsableGpus usable;
    for (const DeviceInfo& device : list.devices) usable.numbers.push_back(device.number);
    usable.reason = std::move(list.reason);
    return usable;
  }

  std::unique_ptr<Engine> make_engine(const Format& format, const GpuEngineOptions& options) const override {
    return make_gpu_engine(format, options);
  }

  std::unique_ptr<DeviceArraySorter> make_array_sorter(std::vector<int> devices, std::uint64_t device_memory_bytes,
                                                       unsigned threads) const override {
    return std::make_unique<CudaArraySorter>(std::move(devices), device_memory_bytes, threads);
  }
};

const Gpus* open(const GpuHost& host) {
  static const CudaGpus gpus;
  if (host.team_slot != nullptr) ThreadTeam::share_slot(host.team_slot);
  return &gpus;
}

constexpr GpuModule kModule = {kGpuModuleVersion, kGpuModuleLayout, open, &kDeviceFunctions};

}  // namespace
}  // namespace sortie

extern "C" __attribute__((visibility("default"))) const sortie::GpuModule* sortie_gpu_module() {
  return &sortie::kModule;
}
