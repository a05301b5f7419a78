#include "pipeline/setup/engine_pool.hpp"

#include <chrono>
#include <future>
#include <utility>

#include "base/task_thread.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/gpu_failure.hpp"

namespace sortie {
namespace {

/// What a disk or a pipe of 3 GB/s delivers while a GPU starts. More could come from memory only, and is read as fast
/// later.
constexpr std::uint64_t kMostAheadBytes = 1 << 30;

class EngineStart {
 public:
  EngineStart(const EngineContext& job, EngineUse use)
      : job_(job), use_(use), decision_(decide_engine(job.spec, job.sizes, job.machine)) {}

  JobPlan run(EnginePool& pool) {
    try {
      pool = decision_.gpu ? start_gpus_while_reading() : start();
    } catch (const DeviceError& error) {
      if (after_failure(error, state()) != AfterFailure::kGoOnWithCpu) throw;
      const bool is_full = dynamic_cast<const DeviceFullError*>(&error) != nullptr;
      decision_ = {false, is_full ? error.what() : "a GPU failed", {}};
      pool = start();
      pool.device_failure = error.what();
    }
    take_facts_of(pool);
    return std::move(plan_);
  }

 private:
  EnginePool start_gpus_while_reading() {
    TaskThread starter([this] { job_.observer.name_thread("engine start"); });
    std::future<EnginePool> started = starter.post([this] { return start(); });
    if (use_ == EngineUse::kForm) {
      job_.inputs->read_ahead(
          kMostAheadBytes, [&] { return started.wait_for(std::chrono::seconds::zero()) != std::future_status::ready; });
    }
    return started.get();
  }

  /// Also pins the memory that goes to a GPU.
  EnginePool start() {
    EnginePool pool;
    {
      const auto span = job_.observer.span("start engine");
      ChosenEngines chosen = make_engines();
      pool.engines = std::move(chosen.engines);
      pool.reason = std::move(chosen.reason);
    }
    plan_ = plan_job(job_.spec, job_.sizes, decision_,
                     {pool.engines[0]->forms_runs_on_host(), static_cast<unsigned>(pool.engines.size())});
    if (use_ != EngineUse::kForm) return pool;
    const auto span = job_.observer.span("prepare buffers");
    const MemoryPlan& memory = plan_.memory;
    const FormationBudget budget{memory.formation_bytes,   memory.part_bytes,     job_.sizes.sorted.bytes.value_or(0),
                                 memory.most_record_bytes, job_.inputs->sample(), memory.runs_at_once};
    for (const auto& engine : pool.engines) pool.formers.push_back(engine->make_run_former(budget));
    return pool;
  }

  ChosenEngines make_engines() {
    const SortOptions& options = job_.spec.options;
    if (!decision_.gpu) return cpu_engine(options, decision_.reason);
    return job_.machine.gpus().start(options, decision_, engine_workload(job_.spec, job_.sizes), job_.spec.threads,
                                     job_.observer);
  }

  FailedSort state() const {
    const SortOptions& options = job_.spec.options;
    return {.wanted_gpu = options.engine == EngineChoice::kGpu,
            .is_starting = true,
            .can_begin_anew = use_ != EngineUse::kPlan && inputs_can_be_read_again(job_.files, options)};
  }

  /// A pipe may have come to its end meanwhile. Formers know how long their runs will be.
  void take_facts_of(const EnginePool& pool) {
    if (use_ != EngineUse::kForm) return;
    if (!job_.sizes.bytes) job_.inputs->take_sizes();
    const std::uint64_t planned = plan_.memory.run_bytes;
    plan_.needs =
        needs_of_job(job_.spec, job_.sizes, plan_.memory, planned != 0 ? planned : pool.formers[0]->run_bytes());
  }

  EngineContext job_;  // its inputs are read on the calling thread only, its machine has been looked at for a GPU
  EngineUse use_;
  EngineDecision decision_;
  JobPlan plan_;
};

}  // namespace

void EnginePool::describe(SortReport& report) const {
  report.engine = std::string(engines[0]->name());
  report.engine_reason = reason;
  report.device_failure = device_failure;
  report.device_budget_bytes = device_budget_bytes();
  report.devices = report.device_budget_bytes == 0 ? 0 : static_cast<unsigned>(engines.size());
}

JobPlan start_engines(const EngineContext& context, EngineUse use, EnginePool& pool) {
  return EngineStart(context, use).run(pool);
}

}  // namespace sortie
