#include "pipeline/job_attempt.hpp"

#include <iterator>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "observe/assumption_words.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/input/announcing_source.hpp"
#include "pipeline/merge/run_merge.hpp"
#include "pipeline/plan/window_plan.hpp"
#include "pipeline/setup/report_files.hpp"
#include "pipeline/top/top_records.hpp"

namespace sortie {
namespace {

std::uint64_t bytes_of(std::span<const Run> runs) {
  std::uint64_t bytes = 0;
  for (const Run& run : runs) bytes += run.record_bytes;
  return bytes;
}

/// Gives the memory and the scratch space of runs back. By all threads: some file systems wait for the disk with every
/// file that is closed.
void drop_runs(std::span<Run> runs) {
  parallel_for(0, runs.size(), [&](std::size_t i) { runs[i] = Run(); });
}

/// Memory that one device has pinned serves all devices. Null for engines whose records stay on the host, where there
/// is nothing to pin.
MemoryPinner pinner_of(std::span<const std::unique_ptr<Engine>> engines) {
  if (largest_device_budget(engines) == 0) return {};
  return [engine = engines[0].get()](std::span<std::byte> memory) { return engine->pin(memory); };
}

}  // namespace

std::unique_ptr<Observer> open_observer(FileSystem& files, const SortOptions& options, bool year_is_said,
                                        const char* thread) {
  auto observer =
      std::make_unique<Observer>(options.progress, open_report(files, options.trace_path, options), options.watch);
  if (!options.report_path.empty()) observer->keep_timeline();
  if (options.strict) observer->assumptions().be_refused();
  if (year_is_said) observer->assumptions().settle(GuessKind::kAssumedYear);
  observer->name_thread(thread);
  return observer;
}

SortOptions with_progress_cleared(SortOptions options, Observer& observer) {
  if (!options.warn) return options;
  options.warn = [&observer, warn = std::move(options.warn)](const Warning& warning) {
    observer.make_way_for([&] { warn(warning); });
  };
  return options;
}

std::vector<Assumption> list_assumptions(const InputOpener& opener, const Observer& observer) {
  opener.report_headers(observer.assumptions());
  return observer.assumptions().list();
}

void report_assumptions(const SortOptions& options, const std::vector<Assumption>& assumptions) {
  refuse_if_strict(options, assumptions);
  if (!options.warn) return;
  for (const Assumption& assumption : assumptions) options.warn({assumption.message, assumption.remedy});
}

void finish_output(Output& output, Observer& observer) {
  observer.end_watch();
  throw_if_stopped();
  {
    const auto span = observer.span("finish output");
    output.finish();
  }
  if (ThreadTeam* const team = ThreadTeam::current()) team->ignore_stops();
}

JobAttempt::JobAttempt(FileSystem& files, SortOptions options, Machine machine)
    : files_(files), options_(std::move(options)), machine_(std::move(machine)) {}

void JobAttempt::start(EngineUse use, const InputSizes& sizes) {
  JobInputs* const inputs = use == EngineUse::kForm ? &*inputs_ : nullptr;
  plan_ = start_engines({files_, spec(), sizes, inputs, machine_, *observer_}, use, pool_);
}

void JobAttempt::open_store(RunStoreOptions options, const CompressionPolicy::Scratch& scratch_space) {
  const MemoryPlan& memory = plan_.memory;
  auto policy = std::make_unique<CompressionPolicy>(job_options(), scratch_space);
  options.memory_bytes = memory.store_bytes;
  options.block_bytes = memory.merge.block_bytes;
  options.most_block_bytes = memory.most_block_bytes;
  options.index_step_bytes = memory.index_step_bytes;
  options.repeats = spec().repeats_in_runs();
  options.verify = job_options().verify;
  options.checkpoint = checkpoint_.get();
  options.program = job_options().compress_program;
  options.prepares_files = scratch_space.lies_in_memory && !options.program && policy->never_compresses();
  store_ = std::make_unique<RunStore>(*spec().codec, *scratch_, std::move(policy), options, *observer_,
                                      pinner_of(pool_.engines));
}

void JobAttempt::open_stage(Output& output, std::span<const std::byte> header, bool ties_in_order,
                            std::uint64_t most_records) {
  OutputOptions options = output_options(spec());
  if (most_records != 0) options.most_records = most_records;
  options.header = header;
  options.ties_in_order = ties_in_order;
  options.scratch = &*scratch_;
  options.dropped = dropped_ ? &*dropped_ : nullptr;
  options.tie_bytes = plan_.memory.encoding.tie_bytes;
  options.part_bytes = plan_.memory.part_bytes;
  stage_ = std::make_unique<OutputStage>(*spec().codec, output, options, *observer_);
}

FormedRuns JobAttempt::form_runs_of_inputs(const PartConsumer& consume_only_run, RunJournal* journal) {
  const InputSizes& sizes = inputs_->sizes();
  observer_->begin_phase("forming runs", sizes.bytes.value_or(0));
  observer_->advance(sizes.resumed_bytes);
  PieceSource& records = inputs_->records(plan_.memory.encoding);
  const auto top = select_top_records(records, spec(), plan_.memory.selection_bytes, *observer_);
  WholeInput* const whole = consume_only_run ? inputs_->whole_input() : nullptr;
  std::optional<AnnouncingSource> announced;
  const bool output_is_held = sizes.budget.held_output_bytes > 0;  // its file can wait, and may have to
  if (output_ && !sizes.bytes && output_has_all_bytes() && !output_is_held) {
    announced.emplace(records, *output_, sizes.resumed_bytes + inputs_->opener().header().size(),
                      plan_.memory.formation_bytes);
  }
  PieceSource& source = top ? *top : announced ? *announced : records;
  FormedRuns formed = form_runs(source, whole, pool_.formers, *store_, consume_only_run, *observer_, journal);
  outcome_.input = inputs_->finish_reading();
  pool_.formers.clear();  // gives their memory back
  if (top) outcome_.dropped += top->dropped(outcome_.input);
  return formed;
}

std::vector<std::unique_ptr<WindowMerger>> JobAttempt::window_mergers() const {
  std::vector<std::unique_ptr<WindowMerger>> mergers;
  for (const auto& engine : pool_.engines) {
    mergers.push_back(engine->make_window_merger({plan_.memory.merger_bytes, plan_.memory.arena_bytes}));
  }
  return mergers;
}

void JobAttempt::merge_runs(std::vector<Run> runs, const MergedConsumer& consume) {
  reduce_to_fan_in(runs);
  observer_->begin_phase("merging", bytes_of(runs));
  merge_with(window_mergers(), runs, consume);
  drop_runs(runs);
  ++outcome_.report.merge_passes;
}

void JobAttempt::reduce_to_fan_in(std::vector<Run>& runs) {
  while (true) {
    const std::uint64_t fan_in =
        limited_fan_in(max_fan_in(plan_.memory.arena_bytes, largest_blocks(runs)), job_options());
    if (runs.size() <= fan_in) return;
    observer_->begin_phase("merging runs into runs", 0);
    const auto mergers = window_mergers();
    std::vector<Run> next;
    std::size_t taken = 0;
    for (const MergeGroup& group : plan_merge_pass(runs.size(), fan_in)) {
      next.push_back(merge_group(std::span(runs).subspan(group.begin, group.end - group.begin), next.size(), mergers));
      taken = group.end;
    }
    std::move(runs.begin() + static_cast<std::ptrdiff_t>(taken), runs.end(), std::back_inserter(next));
    runs = std::move(next);
    ++outcome_.report.merge_passes;
  }
}

// Leaves the members empty. `position`: how many runs come before the merged one.
Run JobAttempt::merge_group(std::span<Run> members, std::size_t position,
                            std::span<const std::unique_ptr<WindowMerger>> mergers) {
  const std::unique_ptr<RunSink> sink = store_->begin_run(bytes_of(members));
  merge_with(mergers, members, [&](std::span<std::byte> records) {
    sink->append(records);
    return true;
  });
  Run merged = sink->finish();
  if (checkpoint_) checkpoint_->replace(position, members.size(), Checkpoint::describe(merged, sink->dropped()));
  outcome_.dropped += sink->dropped();
  drop_runs(members);
  return merged;
}

void JobAttempt::merge_with(std::span<const std::unique_ptr<WindowMerger>> mergers, std::span<Run> runs,
                            const MergedConsumer& consume) {
  outcome_.report.windows += sortie::merge_runs(runs, spec().codec->order(), mergers, plan_.memory, *observer_, consume,
                                                pinner_of(pool_.engines));
}

}  // namespace sortie
