// One join from beginning to end: sorts both inputs at the same time, joins what comes out, and finishes the output.
//
//   left   ──▶ sort ──▶ keyed records ─┐
//                                      ├─▶ merge join ──▶ rows ──▶ output
//   right  ──▶ sort ──▶ keyed records ─┘
//
// An input that seems to be in order is not sorted. If it turns out not to be, the join begins anew. Made by join().
#pragma once

#include <sortie/join.hpp>

#include "io/files/file.hpp"
#include "pipeline/join/join_shares.hpp"
#include "pipeline/join/row_shaper.hpp"
#include "pipeline/join_side.hpp"

namespace sortie {

class JoinJob {
 public:
  /// `options` are checked. All references must outlive this.
  JoinJob(FileSystem& files, const JoinOptions& options) : files_(files), options_(options) {}

  /// Call once. Throws Error.
  JoinReport run();

 private:
  JoinReport attempt(bool ordered_lines_pass);

  FileSystem& files_;
  const JoinOptions& options_;
};

}  // namespace sortie
