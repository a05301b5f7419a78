// Phase one of a shard: forms runs of it in a directory, and merges nothing. Made by form_shard(), once for each
// attempt.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/shard.hpp>

#include "io/files/file.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/job_attempt.hpp"

namespace sortie {

class ShardJob final : public JobAttempt {
 public:
  /// `files` shows the shard alone. Runs go to `directory`, which is made, and removed again unless hand_over() is
  /// called.
  ShardJob(FileSystem& files, const SortOptions& options, std::string directory, const ShardRequest& request);

  /// What the inputs and options are. Throws Error if an input cannot be read.
  using JobAttempt::spec;
  std::span<const std::byte> header() { return inputs_->opener().header(); }
  /// What form() had to assume.
  Assumptions& assumptions() const { return observer_->assumptions(); }
  void tell_of_headers() const { inputs_->opener().tell_of_headers(assumptions()); }

  struct Formed {
    std::vector<Run> runs;  ///< in input order
    RecordTotals input;
    RecordTotals dropped;  ///< duplicates, and records behind the first ones that are wanted
  };
  /// Call once. Throws Error.
  Formed form();

  /// Makes a durable file beside the runs.
  void add_file(const std::string& name, std::string_view contents) { checkpoint_->add_file(name, contents); }
  /// Leaves all files where they are. They may have been moved by then.
  void hand_over() { checkpoint_->hand_over(); }

 private:
  std::string directory_;
};

}  // namespace sortie
