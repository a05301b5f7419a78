// The public functions: each checks its options, gathers its threads and runs its job.
#include <sortie/join.hpp>
#include <sortie/sort.hpp>

#include "option/contradictions.hpp"
#include "pipeline/check_job.hpp"
#include "pipeline/describe_plan.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/join/join_plan.hpp"
#include "pipeline/join_job.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/options_check.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {
namespace {

/// The options of a join that are valid, with names of files for streams.
JoinOptions checked(const JoinOptions& options, const JobSite& site) {
  validate(options);
  JoinOptions named = options;
  named.sort = site.options();
  return named;
}

}  // namespace

SortReport sort(const SortOptions& options) try {
  const JobSite site(options);
  return execute_sort(site.files(), site.options());
} catch (...) {
  rethrow_as_error();
}

std::string plan(const SortOptions& options) try {
  SortOptions unread = options;
  if (options.source) unread.source = [](std::span<std::byte>) { return std::size_t{0}; };
  const JobSite site(unread);
  return describe_plan(site.files(), site.options());
} catch (...) {
  rethrow_as_error();
}

std::optional<NarrowedDevices> narrow_devices(const SortOptions& options) {
  return public_call([&] {
    validate(options);
    const Machine machine = this_machine();
    const std::optional<std::uint64_t> bytes = file_bytes(options.inputs);
    // With fewer threads a GPU pays sooner. Where it would not even beside one, it takes longer to count them.
    if (!decide_engine(options, bytes, 1, machine).gpu) return std::optional<NarrowedDevices>();
    return narrow_to(decide_engine(options, bytes, thread_count(options), machine), options);
  });
}

std::optional<Disorder> check(const SortOptions& options) try {
  const JobSite site(options);
  option::refuse_contradictions_of_check(site.options(), option::Door::kLibrary);
  return find_disorder_in_inputs(site.files(), site.options());
} catch (...) {
  rethrow_as_error();
}

JoinReport join(const JoinOptions& options) try {
  const JobSite site(options.sort);
  return JoinJob(site.files(), checked(options, site)).run();
} catch (...) {
  rethrow_as_error();
}

std::string plan(const JoinOptions& options) try {
  const JobSite site(options.sort);
  return describe_plan(site.files(), checked(options, site));
} catch (...) {
  rethrow_as_error();
}

}  // namespace sortie
