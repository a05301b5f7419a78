#include "pipeline/setup/engine_start.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <utility>

#include "base/device_error.hpp"
#include "base/thread_team.hpp"

namespace sortie {
namespace {

/// At most as long as what engines take at a time, so that a piece is copied whole.
constexpr std::uint64_t kMostPieceBytes = 16 << 20;
/// Shares of the memory budget. What is read ahead uses the plan's reserve, which is for parts of runs: it exists
/// beside all of the formers' memory, and beside that of the first run.
constexpr std::uint64_t kPieceShare = 64;
constexpr std::uint64_t kAheadShare = 8;
/// What a disk or a pipe of 3 GB/s delivers while a GPU starts. More could come from memory only, and is read as fast
/// later.
constexpr std::uint64_t kMostAheadBytes = 1 << 30;
/// Reading slows the start of the GPU down: an H200 took 0.28 s beside no thread that reads from memory, 0.35 s beside
/// 4 and 0.43 s beside 16 (64 cores), 0.25 s and 0.43 s beside none and 16 (16 cores).
constexpr unsigned kMostAheadThreads = 4;
/// Bytes read from a pipe before an engine is chosen: 30 ms of reading may save the quarter of a second that starting a
/// GPU in vain takes.
constexpr std::uint64_t kFirstReadBytes = 64 << 20;

void read_ahead(const ResolvedOptions& resolved, RecordReader& reader, std::uint64_t most_bytes,
                const std::function<bool()>& is_worth_it) {
  const std::uint64_t piece_bytes = std::min(kMostPieceBytes, resolved.memory_bytes / kPieceShare);
  most_bytes = std::min(most_bytes, resolved.memory_bytes / kAheadShare);
  ThreadTeam(std::min(resolved.threads, kMostAheadThreads)).run([&] {
    while (reader.ahead_memory_bytes() + piece_bytes <= most_bytes && is_worth_it() &&
           reader.read_ahead(static_cast<std::size_t>(piece_bytes))) {
    }
  });
}

class EngineStart {
 public:
  EngineStart(FileSystem& files, const ResolvedOptions& resolved, RecordReader* reader, const GpuAccess& gpus,
              Observer& observer)
      : files_(files), resolved_(resolved), reader_(reader), gpus_(gpus), observer_(observer) {}

  ReadyEngines run() {
    const SortOptions& options = resolved_.options;
    const bool may_choose = gpus_.start && options.engine == EngineChoice::kAuto;
    if (may_choose && reader_ != nullptr && !reader_->total_bytes()) {
      read_ahead(resolved_, *reader_, kFirstReadBytes, [] { return true; });
    }
    if (reader_ != nullptr) {
      estimate_ = estimate_input(resolved_, *reader_);
    } else {
      estimate_.record_bytes = options.format.record_bytes;
    }
    decision_ = decide_engine(options, estimate_.bytes, resolved_.threads, gpus_);
    return decision_.gpu ? start_gpus_while_reading() : make_ready();
  }

 private:
  ReadyEngines start_gpus_while_reading() {
    std::future<ReadyEngines> started = std::async(std::launch::async, with_current_team([this] {
                                                     observer_.name_thread("engine start");
                                                     return make_ready();
                                                   }));
    if (reader_ != nullptr) {
      read_ahead(resolved_, *reader_, kMostAheadBytes,
                 [&] { return started.wait_for(std::chrono::seconds::zero()) != std::future_status::ready; });
    }
    try {
      return started.get();
    } catch (const DeviceError& error) {
      if (resolved_.options.engine == EngineChoice::kGpu || reader_ == nullptr) throw;
      if (inputs_can_be_read_again(files_, resolved_.options)) throw;
      decision_ = {false, "a GPU failed", {}};
      ReadyEngines ready = make_ready();
      ready.device_failure = error.what();
      return ready;
    }
  }

  /// Also pins the memory that goes to a GPU.
  ReadyEngines make_ready() {
    ReadyEngines ready;
    {
      const auto span = observer_.span("start engine");
      ChosenEngines chosen = make_engines(resolved_.options, decision_, engine_demand(resolved_, estimate_),
                                          resolved_.threads, observer_, gpus_);
      ready.engines = std::move(chosen.engines);
      ready.reason = std::move(chosen.reason);
      ready.device_failure = std::move(chosen.device_failure);
    }
    ready.plan = plan_for(resolved_, estimate_, ready.engines[0]->forms_runs_on_host(),
                          static_cast<unsigned>(ready.engines.size()));
    if (reader_ == nullptr) return ready;
    const auto span = observer_.span("prepare buffers");
    const FormationBudget budget{ready.plan.formation_bytes, ready.plan.part_bytes, estimate_.bytes.value_or(0),
                                 ready.plan.most_record_bytes};
    for (const auto& engine : ready.engines) ready.formers.push_back(engine->make_run_former(budget));
    return ready;
  }

  FileSystem& files_;
  const ResolvedOptions& resolved_;
  RecordReader* reader_;  // used by the calling thread only
  const GpuAccess& gpus_;
  Observer& observer_;
  InputEstimate estimate_;
  EngineDecision decision_;
};

}  // namespace

ReadyEngines start_engines(FileSystem& files, const ResolvedOptions& resolved, RecordReader* reader,
                           const GpuAccess& gpus, Observer& observer) {
  return EngineStart(files, resolved, reader, gpus, observer).run();
}

}  // namespace sortie
