// One join from beginning to end: sorts both inputs at the same time, joins what comes out, and finishes the output.
//
//   left   ──▶ sort ──▶ keyed records ─┐
//                                      ├─▶ merge join ──▶ rows ──▶ output
//   right  ──▶ sort ──▶ keyed records ─┘
//
// An input that seems to be in order is not sorted. If it turns out not to be, the join begins anew. Made by join().
#pragma once

#include <cstdint>
#include <optional>

#include <sortie/join.hpp>

#include "io/files/file.hpp"
#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "observe/report_page.hpp"
#include "pipeline/join/join_plan.hpp"
#include "pipeline/join/keyed_stream.hpp"
#include "pipeline/join/row_shaper.hpp"
#include "pipeline/setup/job_inputs.hpp"

namespace sortie {

class JoinJob {
 public:
  /// `options` are valid. An input of fewer than `least_passed_bytes` is sorted even if it is in order; for tests.
  /// `files` must outlive this.
  JoinJob(FileSystem& files, const JoinOptions& options, std::uint64_t least_passed_bytes = kLeastMappedBytes);

  /// Call once. Writes statistics and report page, too, if the options ask for them. Throws Error.
  JoinReport run();

  /// How often the join has begun, for tests.
  unsigned attempt_count() const { return attempt_count_; }

 private:
  JoinReport attempt(bool ordered_lines_pass);
  RowShaper shaper_of(const KeyedStream& left, const KeyedStream& right) const;
  JoinReport report_of(const SortReport& left, const SortReport& right) const;
  void finish(Output& output, Observer& observer, JoinReport& report);
  PageContext context_of(const Output& output, const Observer& observer) const;

  FileSystem& files_;
  JoinOptions options_;  // of the attempt
  const std::uint64_t least_passed_bytes_;
  JoinPlan join_plan_;  // of the attempt
  unsigned attempt_count_ = 0;
  std::optional<PageContext> page_;  // nothing if none is wanted, or memory for it is lacking
};

}  // namespace sortie
