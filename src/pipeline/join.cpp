// The public functions of joins.
#include <sortie/join.hpp>

#include <algorithm>
#include <memory>
#include <string>

#include "io/files/caller_streams.hpp"
#include "pipeline/describe_plan.hpp"
#include "pipeline/job_team.hpp"
#include "pipeline/join/join_check.hpp"
#include "pipeline/join_job.hpp"

namespace sortie {
namespace {

/// Times without a year are in the same one on both sides.
JoinOptions with_last_day(JoinOptions options) {
  TextOrder& order = options.sort.format.text;
  const auto is_time = [](const TextKey& key) { return key.kind == TextKind::kTime; };
  if (!order.last_day && std::ranges::any_of(order.keys, is_time)) {
    order.last_day = day_after_last_change(options.sort.inputs);
  }
  return options;
}

/// Calls `work(files, options)` with threads of its own, and with files among which is the caller's sink.
template <class Work>
auto run_join(const JoinOptions& options, const Work& work) {
  return run_in_team(options.sort, [&](FileSystem& files) {
    validate(options);
    JoinOptions named = with_last_day(options);
    if (options.sort.sink) named.sort.output = kSinkName;
    return work(*with_caller_streams(files, {}, options.sort.sink), named);
  });
}

}  // namespace

JoinReport join(const JoinOptions& options) {
  return run_join(options, [](FileSystem& files, const JoinOptions& named) { return JoinJob(files, named).run(); });
}

std::string plan(const JoinOptions& options) {
  return run_join(options, [](FileSystem& files, const JoinOptions& named) { return describe_plan(files, named); });
}

}  // namespace sortie
