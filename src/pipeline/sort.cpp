// The public functions: each sets the number of threads and runs its job.
#include <sortie/sort.hpp>

#include <tbb/global_control.h>

#include "io/file.hpp"
#include "pipeline/check_job.hpp"
#include "pipeline/engine_fallback.hpp"
#include "pipeline/gpu_access.hpp"
#include "pipeline/job_setup.hpp"
#include "pipeline/plan_job.hpp"

namespace sortie {
namespace {

tbb::global_control limit_threads(const SortOptions& options) {
  return {tbb::global_control::max_allowed_parallelism, thread_count(options)};
}

}  // namespace

SortReport sort(const SortOptions& options) {
  const tbb::global_control threads = limit_threads(options);
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  return sort_with_fallback(*files, options);
}

std::string plan(const SortOptions& options) {
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  return describe_plan(*files, options);
}

std::optional<NarrowedDevices> narrow_devices(const SortOptions& options) {
  return narrow_to(decide_engine(options, std::nullopt, thread_count(options), cuda_access()), options);
}

std::optional<Disorder> check(const SortOptions& options) {
  const tbb::global_control threads = limit_threads(options);
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  return find_disorder_in_inputs(*files, options);
}

}  // namespace sortie
