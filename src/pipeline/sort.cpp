// The public functions: each validates its options, gathers the threads and runs its job.
#include <sortie/sort.hpp>

#include <memory>
#include <string>

#include "base/thread_team.hpp"
#include "io/files/file.hpp"
#include "pipeline/check_job.hpp"
#include "pipeline/describe_plan.hpp"
#include "pipeline/engine_fallback.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/job_setup.hpp"
#include "pipeline/setup/machine.hpp"
#include "pipeline/setup/options_check.hpp"

namespace sortie {
namespace {

/// Calls `work` with threads of its own.
template <class Work>
auto run_job(const SortOptions& options, const Work& work) {
  return public_call([&] {
    validate(options);
    ThreadTeam team(thread_count(options), own_thread_count(options.engine));
    return team.run(work);
  });
}

}  // namespace

SortReport sort(const SortOptions& options) {
  return run_job(options, [&] {
    const std::unique_ptr<FileSystem> files = make_posix_file_system(options.temporary_names);
    return sort_with_fallback(*files, options);
  });
}

std::string plan(const SortOptions& options) {
  return run_job(options, [&] {
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    return describe_plan(*files, options);
  });
}

std::optional<NarrowedDevices> narrow_devices(const SortOptions& options) {
  return public_call([&] {
    validate(options);
    return narrow_to(decide_engine(options, file_bytes(options.inputs), thread_count(options), this_machine()),
                     options);
  });
}

std::optional<Disorder> check(const SortOptions& options) {
  return run_job(options, [&] {
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    return find_disorder_in_inputs(*files, options);
  });
}

}  // namespace sortie
