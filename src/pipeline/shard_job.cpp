#include "pipeline/shard_job.hpp"

#include <utility>

#include "base/system_limits.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/run_merging.hpp"
#include "pipeline/runs/compression_policy.hpp"
#include "pipeline/setup/job_setup.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/top/top_records.hpp"

namespace sortie {

ShardJob::ShardJob(FileSystem& files, const SortOptions& options, std::string directory, const ShardRequest& request,
                   Machine machine)
    : files_(files),
      machine_(std::move(machine)),
      directory_(std::move(directory)),
      observer_(options.progress, open_report(files, options.trace_path, options), options.watch),
      names_(options.temporary_names),
      inputs_(files, options, RecordForm::kPlain, request.header),
      order_(resolved().options.format),
      scratch_(files, {directory_}) {
  observer_.name_thread("reader");
  // Where the year is not said, a shard refuses such times.
  if (!assumes_year(options)) observer_.assumptions().settle(GuessKind::kAssumedYear);
  inputs_.look_at_all(observer_);
  inputs_.begin_at({});
  inputs_.begin_at_place(request.place);
}

ShardJob::Formed ShardJob::form() {
  checkpoint_ = std::make_unique<Checkpoint>(files_, directory_, names_);
  checkpoint_->begin(identify_job(files_, resolved()), resolved().input_format.text.random_seed);
  inputs_.take_facts();
  plan_ = plan_job(resolved(), inputs_.facts(), machine_);
  if (inputs_.prepare(plan_.reading, {.keeps_runs = true})) plan_ = plan_job(resolved(), inputs_.facts(), machine_);
  pool_ = start_engines(files_, inputs_, plan_, EngineUse::kForm, machine_, observer_);
  open_store();
  observer_.begin_phase("forming runs", inputs_.facts().bytes.value_or(0));
  PieceSource& records = inputs_.records(plan_.memory.decoration);
  const auto top = select_top_records(records, resolved(), order_, plan_.memory.selection_bytes, observer_);
  FormedRuns formed = form_runs(top ? *top : records, nullptr, pool_.formers, *store_, {}, observer_);
  const RecordTotals input = inputs_.finish_reading();
  pool_.formers.clear();
  if (top) formed.dropped += top->dropped(input);
  return {std::move(formed.runs), input, formed.dropped};
}

void ShardJob::open_store() {
  const MemoryPlan& memory = plan_.memory;
  const CompressionPolicy::Scratch place{.is_short = false, .lies_in_memory = scratch_.lies_in_memory()};
  RunStore::Options options;
  options.block_bytes = memory.merge.block_bytes;
  options.most_block_bytes = memory.most_block_bytes;
  options.index_step_bytes = memory.index_step_bytes;
  options.repeats = resolved().repeats_in_runs();
  options.verify = wanted().verify;
  options.decorator = resolved().decorator.get();
  options.checkpoint = checkpoint_.get();
  options.most_files = free_descriptors() / 2;
  options.tells_output_bytes = true;
  options.options_hash = identify_options(resolved()).low;
  store_ = std::make_unique<RunStore>(wanted().format, order_, scratch_,
                                      std::make_unique<CompressionPolicy>(wanted(), place), options, observer_,
                                      pinner_of(pool_.engines));
}

}  // namespace sortie
