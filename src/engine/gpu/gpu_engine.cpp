#include "engine/gpu/gpu_engine.hpp"

#include <algorithm>

#include "device/arena.hpp"
#include "device/device_info.hpp"
#include "device/registered_memory.hpp"
#include "engine/gpu/formation/gpu_run_former.hpp"
#include "engine/gpu/merge/gpu_window_merger.hpp"
#include "engine/gpu/merge/merge_halves.hpp"

namespace sortie {
namespace {

/// Left to the driver, to kernels' stacks and to whatever else uses the device: 1/16, at least 256 MiB.
constexpr std::uint64_t kReservedShare = 16;
constexpr std::uint64_t kLeastReservedBytes = 256 << 20;

class GpuEngine : public Engine {
 public:
  GpuEngine(const Format& format, const GpuEngineOptions& options)
      : format_(format),
        arena_(gpu_budget_bytes(options)),
        merge_halves_(arena_),
        timeline_(options.device, options.device_spans),
        setup_{options.device, options.threads, options.algorithm, &timeline_} {}

  std::string_view name() const override { return "gpu"; }
  std::uint64_t device_budget_bytes() const override { return arena_.capacity_bytes(); }

  std::unique_ptr<RunFormer> make_run_former(const FormationBudget& budget) override {
    select_device(setup_.device);
    return std::make_unique<gpu::GpuRunFormer>(format_, setup_, arena_, budget);
  }

  std::unique_ptr<WindowMerger> make_window_merger(const MergeBudget& budget) override {
    select_device(setup_.device);
    return std::make_unique<gpu::GpuWindowMerger>(format_, setup_, merge_halves_, budget);
  }

  std::unique_ptr<MemoryPin> pin(std::span<std::byte> memory) override {
    select_device(setup_.device);
    return RegisteredMemory::make(memory);
  }

 private:
  Format format_;
  Arena arena_;
  gpu::MergeHalves merge_halves_;
  gpu::DeviceTimeline timeline_;
  gpu::EngineSetup setup_;
};

}  // namespace

std::uint64_t gpu_budget_bytes(const GpuEngineOptions& options) {
  select_device(options.device);
  const std::uint64_t free_bytes = free_device_bytes();
  const std::uint64_t reserved_bytes = std::max(free_bytes / kReservedShare, kLeastReservedBytes);
  const std::uint64_t usable_bytes = free_bytes - std::min(free_bytes, reserved_bytes);
  return options.device_memory_bytes == 0 ? usable_bytes : std::min(options.device_memory_bytes, usable_bytes);
}

std::unique_ptr<Engine> make_gpu_engine(const Format& format, const GpuEngineOptions& options) {
  return std::make_unique<GpuEngine>(format, options);
}

}  // namespace sortie
