#include "pipeline/shard_job.hpp"

#include <utility>

#include "base/system_limits.hpp"
#include "pipeline/checkpoint/job_identity.hpp"

namespace sortie {

// Where the year is not said, a shard refuses such times.
ShardJob::ShardJob(FileSystem& files, const SortOptions& options, std::string directory, const ShardRequest& request)
    : JobAttempt(files, options, this_machine()), directory_(std::move(directory)) {
  observer_ = (own_observer_ = open_observer(files, options, !assumes_year(options))).get();
  inputs_.emplace(files, with_progress_cleared(options, *observer_), *observer_, RecordForm::kPlain, request.header);
  order_.emplace(wanted().format);
  scratch_.emplace(files, std::vector{directory_});
  inputs_->begin_at({});
  inputs_->begin_at_place(request.place);
}

ShardJob::Formed ShardJob::form() {
  checkpoint_ = std::make_unique<Checkpoint>(files_, directory_, options_.temporary_names);
  checkpoint_->begin(identify_job(files_, spec()), spec().input_format.text.random_seed);
  inputs_->take_facts();
  inputs_->prepare(choose_reading(spec(), inputs_->facts(), machine_), {.keeps_runs = true});
  start(EngineUse::kForm, inputs_->facts());
  open_store(
      {.most_files = free_descriptors() / 2, .tells_output_bytes = true, .options_hash = identify_options(spec()).low},
      {.lies_in_memory = scratch_->lies_in_memory()});
  FormedRuns formed = form_runs_of_inputs({});
  return {std::move(formed.runs), outcome_.input, formed.dropped + outcome_.dropped};
}

}  // namespace sortie
