// One join from beginning to end: sorts both inputs at the same time, joins what comes out, and finishes the output.
//
//   left   ──▶ sort ──▶ keyed records ─┐
//                                      ├─▶ merge join ──▶ rows ──▶ output
//   right  ──▶ sort ──▶ keyed records ─┘
//
// An input that seems to be in order is not sorted. If it turns out not to be, the join begins anew. Made by join().
#pragma once

#include <cstdint>

#include <sortie/join.hpp>

#include "io/files/file.hpp"
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
  FileSystem& files_;
  const JoinOptions options_;
  const std::uint64_t least_passed_bytes_;
  unsigned attempt_count_ = 0;
};

}  // namespace sortie
