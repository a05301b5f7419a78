#include "engine/gpu/gpu_engine.hpp"

#include "base/device_error.hpp"
#include "device/device_info.hpp"
#include "device/device_memory.hpp"
#include "device/pinned_memory.hpp"
#include "engine/gpu/device_share.hpp"
#include "engine/gpu/formation/gpu_run_former.hpp"
#include "engine/gpu/merge/gpu_window_merger.hpp"

namespace sortie {
namespace {

constexpr int kArenaAttempts = 6;

/// Others may take memory between the question of what is free and the allocation. Each attempt asks for at most half
/// as much, so that processes that want the same device soon agree.
Arena take_arena(const Format& format, const GpuEngineOptions& options) {
  select_device(options.device);
  const gpu::RecordTraits traits = gpu::traits_of(format, options.algorithm);
  std::uint64_t ceiling_bytes = options.device_memory_bytes;
  for (int attempt = 1;; ++attempt) {
    const std::uint64_t bytes = gpu::plan_device_bytes(traits, options.workload, free_device_bytes(), ceiling_bytes);
    try {
      return Arena(bytes);
    } catch (const DeviceMemoryError&) {
      if (attempt == kArenaAttempts) throw;
      ceiling_bytes = bytes / 2;
    }
  }
}

class GpuEngine : public Engine {
 public:
  GpuEngine(const Format& format, const GpuEngineOptions& options)
      : format_(format),
        arena_(take_arena(format, options)),
        merge_halves_(arena_),
        timeline_(options.device, options.device_spans),
        engine_options_{options.device, options.threads, options.algorithm, &timeline_} {}

  std::string_view name() const override { return "gpu"; }
  bool forms_runs_on_host() const override { return false; }
  std::uint64_t device_budget_bytes() const override { return arena_.capacity_bytes(); }

  std::unique_ptr<RunFormer> make_run_former(const FormationBudget& budget) override {
    select_device(engine_options_.device);
    return std::make_unique<gpu::GpuRunFormer>(format_, engine_options_, arena_, budget);
  }

  std::unique_ptr<WindowMerger> make_window_merger(const MergeBudget& budget) override {
    select_device(engine_options_.device);
    return std::make_unique<gpu::GpuWindowMerger>(format_, engine_options_, merge_halves_, budget);
  }

  std::unique_ptr<MemoryPin> pin(std::span<std::byte> memory) override {
    select_device(engine_options_.device);
    return RegisteredMemory::make(memory);
  }

 private:
  Format format_;
  Arena arena_;
  gpu::MergeHalves merge_halves_;
  gpu::DeviceTimeline timeline_;
  gpu::EngineOptions engine_options_;
};

}  // namespace

std::unique_ptr<Engine> make_gpu_engine(const Format& format, const GpuEngineOptions& options) {
  return std::make_unique<GpuEngine>(format, options);
}

}  // namespace sortie
