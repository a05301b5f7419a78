// Phase two of a sort by several processes: merges slices of runs that others have formed into a part of the output.
#include <cstdint>
#include <optional>

#include <sortie/shard.hpp>

#include "pipeline/execute.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/options_check.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/shard/cut_file.hpp"
#include "pipeline/shard/shared_sorts.hpp"
#include "pipeline/slice_merge_job.hpp"

namespace sortie {

SliceReport merge_slices(const SortOptions& options, const SlicePlan& given, std::optional<std::uint64_t> offset) try {
  const JobSite site(options);
  refuse_what_processes_cannot(options);
  SlicePlan plan = given;
  if (plan.source) plan.slices = read_slices(site.files(), *plan.source);
  SortOptions all_files = site.options();
  for (const RunSlicePlan& slice : plan.slices) all_files.protected_files.push_back(slice.path);
  refuse_shared_targets_of_sort(site.files(), all_files);
  const SharedSort sort = first_shared_sort(site.options());
  Attempts attempts(site.files(), sort.options, Attempts::Inputs::kStay);
  return execute<SliceMergeJob>(attempts, [&](std::optional<SliceMergeJob>& job) {
    attempts.warn_of_failure();
    return job.emplace(site.files(), SharedSort{attempts.options(), sort.form}, plan, offset).run();
  });
} catch (...) {
  rethrow_as_error();
}

}  // namespace sortie
