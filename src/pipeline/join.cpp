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

/// Calls `work(files, options)` with threads of its own, and with files among which is the caller's sink.
template <class Work>
auto run_join(const JoinOptions& options, const Work& work) {
  return run_in_team(options.sort, [&](FileSystem& files) {
    validate(options);
    JoinOptions named = options;
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
