// The public function of joins.
#include <sortie/join.hpp>

#include <algorithm>
#include <memory>
#include <string>

#include "io/files/caller_streams.hpp"
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

}  // namespace

JoinReport join(const JoinOptions& options) {
  return run_in_team(options.sort, [&](FileSystem& files) {
    validate(options);
    JoinOptions named = with_last_day(options);
    if (options.sort.sink) named.sort.output = kSinkName;
    const std::unique_ptr<FileSystem> with_sink = with_caller_streams(files, {}, options.sort.sink);
    return JoinJob(*with_sink, named).run();
  });
}

std::string to_text(const JoinReport& report) {
  return "left input\n" + to_text(report.left) + "right input\n" + to_text(report.right) +
         "join: " + std::to_string(report.output_records) + " rows, " + std::to_string(report.output_bytes) +
         " bytes, " + std::to_string(report.elapsed_seconds).substr(0, 6) + " s\n";
}

}  // namespace sortie
