// Phase one of a shard: forms runs of it in a directory, and merges nothing. Made by form_shard(), once for each
// attempt.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <sortie/shard.hpp>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "observe/assumptions.hpp"
#include "observe/observer.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/runs/run_formation.hpp"
#include "pipeline/runs/run_store.hpp"
#include "pipeline/setup/engine_pool.hpp"
#include "pipeline/setup/job_inputs.hpp"
#include "pipeline/setup/job_plan.hpp"
#include "pipeline/setup/machine.hpp"

namespace sortie {

class ShardJob {
 public:
  /// `files` shows the shard alone. Runs go to `directory`, which is made, and removed again unless hand_over() is
  /// called.
  ShardJob(FileSystem& files, const SortOptions& options, std::string directory, const ShardRequest& request,
           Machine machine = this_machine());

  /// What the inputs and options are. Throws Error if an input cannot be read.
  const ResolvedOptions& resolved() const { return inputs_.resolved(); }
  std::span<const std::byte> header() { return inputs_.opener().header(); }
  /// What form() had to assume.
  Assumptions& assumptions() const { return observer_.assumptions(); }
  void tell_of_headers() const { inputs_.opener().tell_of_headers(assumptions()); }

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
  void open_store();

  const SortOptions& wanted() const { return resolved().options; }

  FileSystem& files_;
  Machine machine_;
  std::string directory_;
  Observer observer_;
  TemporaryNames* names_;
  std::unique_ptr<Checkpoint> checkpoint_;
  EnginePool pool_;
  JobInputs inputs_;
  RecordOrder order_;
  ScratchSpace scratch_;
  JobPlan plan_;
  std::unique_ptr<RunStore> store_;
};

}  // namespace sortie
