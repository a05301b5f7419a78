#include "pipeline/setup/engine_pool.hpp"

#include <chrono>
#include <future>
#include <utility>

#include "base/task_thread.hpp"
#include "pipeline/setup/engine_choice.hpp"

namespace sortie {
namespace {

/// What a disk or a pipe of 3 GB/s delivers while a GPU starts. More could come from memory only, and is read as fast
/// later.
constexpr std::uint64_t kMostAheadBytes = 1 << 30;

class EngineStart {
 public:
  EngineStart(FileSystem& files, JobInputs& inputs, JobPlan& plan, EngineUse use, const Machine& machine,
              Observer& observer)
      : files_(files), inputs_(inputs), plan_(plan), use_(use), machine_(machine), observer_(observer) {}

  EnginePool run() {
    EnginePool pool;
    try {
      pool = plan_.engine.gpu ? start_gpus_while_reading() : start();
    } catch (const DeviceError& error) {
      if (after_failure(error, state()) != AfterFailure::kGoOnWithCpu) throw;
      const bool is_full = dynamic_cast<const DeviceFullError*>(&error) != nullptr;
      plan_.engine = {false, is_full ? error.what() : "a GPU failed", {}};
      pool = start();
      pool.device_failure = error.what();
    }
    take_facts_of(pool);
    return pool;
  }

 private:
  EnginePool start_gpus_while_reading() {
    TaskThread starter([this] { observer_.name_thread("engine start"); });
    std::future<EnginePool> started = starter.post([this] { return start(); });
    if (use_ == EngineUse::kForm) {
      inputs_.read_ahead(kMostAheadBytes,
                         [&] { return started.wait_for(std::chrono::seconds::zero()) != std::future_status::ready; });
    }
    return started.get();
  }

  /// Also pins the memory that goes to a GPU.
  EnginePool start() {
    EnginePool pool;
    {
      const auto span = observer_.span("start engine");
      ChosenEngines chosen = make_engines();
      pool.engines = std::move(chosen.engines);
      pool.reason = std::move(chosen.reason);
    }
    replan(plan_, inputs_.resolved(), inputs_.facts(),
           {pool.engines[0]->forms_runs_on_host(), static_cast<unsigned>(pool.engines.size())});
    if (use_ != EngineUse::kForm) return pool;
    const auto span = observer_.span("prepare buffers");
    const MemoryPlan& memory = plan_.memory;
    const FormationBudget budget{memory.formation_bytes, memory.part_bytes, inputs_.facts().sorted.bytes.value_or(0),
                                 memory.most_record_bytes, inputs_.sample()};
    for (const auto& engine : pool.engines) pool.formers.push_back(engine->make_run_former(budget));
    return pool;
  }

  ChosenEngines make_engines() {
    const ResolvedOptions& resolved = inputs_.resolved();
    if (!plan_.engine.gpu) return cpu_engine(resolved.options, plan_.engine.reason);
    return machine_.gpus().start(resolved.options, plan_.engine, plan_.demand, resolved.threads, observer_);
  }

  FailedSort state() const {
    const SortOptions& options = inputs_.resolved().options;
    return {.wanted_gpu = options.engine == EngineChoice::kGpu,
            .is_starting = true,
            .can_begin_anew = use_ != EngineUse::kPlan && inputs_can_be_read_again(files_, options)};
  }

  /// A pipe may have come to its end meanwhile. Formers know how long their runs will be.
  void take_facts_of(const EnginePool& pool) {
    if (use_ != EngineUse::kForm) return;
    if (!inputs_.facts().bytes) inputs_.take_facts();
    const std::uint64_t planned = plan_.memory.run_bytes;
    update_needs(plan_, inputs_.resolved(), inputs_.facts(), planned != 0 ? planned : pool.formers[0]->run_bytes());
  }

  FileSystem& files_;
  JobInputs& inputs_;  // reads on the calling thread only
  JobPlan& plan_;
  EngineUse use_;
  const Machine& machine_;  // has been looked at if a GPU is planned for
  Observer& observer_;
};

}  // namespace

void EnginePool::describe(SortReport& report) const {
  report.engine = std::string(engines[0]->name());
  report.engine_reason = reason;
  report.device_failure = device_failure;
  report.device_budget_bytes = device_budget_bytes();
  report.devices = report.device_budget_bytes == 0 ? 0 : static_cast<unsigned>(engines.size());
}

EnginePool start_engines(FileSystem& files, JobInputs& inputs, JobPlan& plan, EngineUse use, const Machine& machine,
                         Observer& observer) {
  return EngineStart(files, inputs, plan, use, machine, observer).run();
}

AfterFailure after_failure(const DeviceError& error, const FailedSort& sort) {
  const bool is_full = dynamic_cast<const DeviceFullError*>(&error) != nullptr;
  if (sort.is_starting && !sort.wanted_gpu && (is_full || !sort.can_begin_anew)) return AfterFailure::kGoOnWithCpu;
  const bool is_refused = is_full && sort.wanted_gpu && sort.is_first_attempt;
  if (!sort.can_begin_anew || is_refused) return AfterFailure::kGiveUp;
  const bool ran_out = dynamic_cast<const DeviceMemoryError*>(&error) != nullptr;
  return ran_out ? AfterFailure::kBeginAnewWithLess : AfterFailure::kBeginAnewWithCpu;
}

}  // namespace sortie
