// The public functions: each validates its options, gathers the threads and runs its job.
#include <sortie/sort.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/files/caller_streams.hpp"
#include "pipeline/check_job.hpp"
#include "pipeline/describe_plan.hpp"
#include "pipeline/engine_fallback.hpp"
#include "pipeline/job_team.hpp"
#include "pipeline/observed_sort.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/job_setup.hpp"
#include "pipeline/setup/machine.hpp"
#include "pipeline/setup/options_check.hpp"

namespace sortie {
namespace {

/// Names the program's streams as with_caller_streams() does.
SortOptions with_stream_names(SortOptions options, std::size_t sources) {
  if (options.source) options.inputs.assign(sources, kSourceName);
  if (options.sink) options.output = kSinkName;
  return options;
}

/// Calls `work(files, options)` with threads of its own, and with files among which are the caller's streams.
template <class Work>
auto run_job(const SortOptions& options, const Work& work, std::size_t sources = 1) {
  return run_in_team(options, [&](FileSystem& files) {
    const auto with_streams = with_caller_streams(files, options.source, options.sink);
    if (!options.source && !options.sink) return work(*with_streams, options);
    return work(*with_streams, with_stream_names(options, sources));
  });
}

}  // namespace

SortReport observed_sort(const SortOptions& options, RecordForm form, Observer* observer, std::size_t sources) {
  const auto work = [&](FileSystem& files, const SortOptions& named) {
    return sort_with_fallback(files, named, this_machine(), form, observer);
  };
  return run_job(options, work, sources);
}

SortReport sort(const SortOptions& options) { return observed_sort(options, RecordForm::kPlain, nullptr); }

std::string plan(const SortOptions& options) {
  SortOptions unread = options;
  if (options.source) unread.source = [](std::span<std::byte>) { return std::size_t{0}; };
  return run_job(
      unread, [](FileSystem& files, const SortOptions& named) { return describe_plan(files, with_last_day(named)); });
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

std::optional<Disorder> check(const SortOptions& options) {
  return run_job(options,
                 [](FileSystem& files, const SortOptions& named) { return find_disorder_in_inputs(files, named); });
}

}  // namespace sortie
