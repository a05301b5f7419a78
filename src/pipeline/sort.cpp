// The public functions: each sets the number of threads and runs its job.
#include <sortie/sort.hpp>

#include <tbb/global_control.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "io/file.hpp"
#include "pipeline/check_job.hpp"
#include "pipeline/engine_fallback.hpp"
#include "pipeline/plan_job.hpp"
#include "pipeline/setup/gpu_access.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {
namespace {

/// What oneTBB throws is std::runtime_error, the C++ library std::system_error.
bool tells_of_thread(const std::runtime_error& error) {
  const auto* const named = dynamic_cast<const std::system_error*>(&error);
  if (named != nullptr) return named->code() == std::errc::resource_unavailable_try_again;
  return std::string_view(error.what()).starts_with("pthread_create");
}

/// Calls `work` with so many threads at most. A thread that cannot be started is an error like others.
template <class Work>
auto with_threads(unsigned threads, Work work) {
  auto limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, threads);
  // To end the limit takes memory and threads too, and cannot fail: where there are none it stays.
  const auto keep_limit = [&] { static_cast<void>(limit.release()); };
  try {
    return work();
  } catch (const std::bad_alloc&) {
    keep_limit();
    throw;
  } catch (const std::runtime_error& error) {
    if (!tells_of_thread(error)) throw;
    keep_limit();
    throw Error(std::string("cannot start a thread: ") + std::strerror(EAGAIN) +
                "; raise the limit on processes with ulimit -u, or use fewer threads with --parallel");
  }
}

}  // namespace

SortReport sort(const SortOptions& options) {
  return with_threads(thread_count(options), [&] {
    const std::unique_ptr<FileSystem> files = make_posix_file_system(options.temporary_names);
    return sort_with_fallback(*files, options);
  });
}

std::string plan(const SortOptions& options) {
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  return describe_plan(*files, options);
}

std::optional<NarrowedDevices> narrow_devices(const SortOptions& options) {
  return narrow_to(decide_engine(options, std::nullopt, thread_count(options), cuda_access()), options);
}

std::optional<Disorder> check(const SortOptions& options) {
  return with_threads(thread_count(options), [&] {
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    return find_disorder_in_inputs(*files, options);
  });
}

}  // namespace sortie
