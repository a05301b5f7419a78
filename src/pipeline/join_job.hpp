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
#include "pipeline/join/join_shares.hpp"
#include "pipeline/setup/job_inputs.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

class JoinJob {
 public:
  /// `options` are checked. An input of fewer than `least_passed_bytes` is sorted even if it is in order; for tests.
  /// All references must outlive this.
  JoinJob(FileSystem& files, const JoinOptions& options, std::uint64_t least_passed_bytes = kLeastMappedBytes);

  /// Call once. Throws Error.
  JoinReport run();

  /// How often the join has begun, for tests.
  unsigned attempts() const { return attempts_; }

 private:
  JoinReport attempt(bool ordered_lines_pass);
  SortOptions left_options() const;
  SortOptions right_options() const;

  FileSystem& files_;
  const JoinOptions& options_;
  const std::uint64_t least_passed_bytes_;
  ResolvedOptions resolved_;  // without a format: memory and threads of the whole join
  JoinShares shares_;
  unsigned attempts_ = 0;
};

}  // namespace sortie
