// Merges inputs that are sorted already (--merge, and inputs that a sample shows to be in order). They flow through
// windows to the output, piece by piece: nothing is stored, and endless inputs can be merged. If there are more inputs
// than may be open at once, groups of neighbours become runs first. Used by SortJob.
//
//   inputs   | 0 | 1 | 2 | 3 | 4 |          at most three at once
//            '---------'                     merged into a run
//            | run       | 3 | 4 |           merged into the output
//
// Unpacking takes memory for every open input, so fewer packed inputs are merged at once. Inputs that are not sorted
// keep their own order, and so do the runs made of them.
//
// If records are so long that memory is short, the inputs that are being merged go on in groups, record by record, from
// where they are (merge_lean()).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/input/deferred_input.hpp"
#include "pipeline/input/input_positions.hpp"
#include "pipeline/input/keyed_reader.hpp"
#include "pipeline/merge/buffered_input.hpp"
#include "pipeline/merge/window_pipeline.hpp"
#include "pipeline/plan/window_plan.hpp"
#include "pipeline/runs/run_store.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {

/// Throws Error if an input cannot be opened. Does not try pipes: what they give can be read only once.
void check_presorted_inputs(FileSystem& files, const std::vector<std::string>& paths);

/// Largest number of inputs that are merged at once. Follows from memory and from how many files may be opened now.
std::uint64_t most_inputs_at_once(const MemoryPlan& plan, const SortSpec& spec);

class SortedInputsMerge {
 public:
  struct Summary {
    InputTally tally;
    RecordTotals dropped;  ///< duplicates dropped on the way into runs
    std::uint64_t passes = 0;
    std::uint64_t windows = 0;
  };

  /// `may_form_runs`: if false, merge() throws NeedsRuns where it would have to form runs. `report_disorder`: called
  /// with the first record of each input that is out of order, before that record is merged. All references must
  /// outlive this.
  SortedInputsMerge(InputOpener& opener, const SortSpec& spec, const MemoryPlan& plan,
                    std::span<const std::unique_ptr<WindowMerger>> mergers, RunStore& store, Observer& observer,
                    bool may_form_runs, BufferedInput::DisorderSink report_disorder);

  /// Call once. If `consumer` has enough before the end, the tally covers what was read until then. Throws Error as
  /// reading does, and whatever `consumer` throws.
  Summary merge(const MergedConsumer& consumer);

 private:
  /// An input of which nothing has been read, or a run made of several inputs.
  struct Member {
    std::size_t number = 0;
    std::unique_ptr<DeferredInput> input;
    std::unique_ptr<Run> run;  // not in place: there may be many inputs

    std::uint64_t unpacking_bytes() const { return input ? input->unpacking_bytes() : 0; }
  };

  Resources::Limit limit_in_windows() const;
  Resources::Limit limit_one_by_one() const;
  std::uint64_t most_unpacking_bytes() const;
  std::vector<MergeGroup> groups_of(const std::vector<Member>& members) const;
  void reduce(std::vector<Member>& members);
  Run merge_to_run(std::span<Member> members);
  void merge_long_records(std::deque<BufferedInput>& inputs, const MergedConsumer& consumer);
  void reduce_lean(std::deque<BufferedInput>& inputs);
  void add_run(Run run, std::deque<BufferedInput>& inputs);
  std::uint64_t buffer_bytes(std::uint64_t inputs) const;
  std::uint64_t merge_members(std::span<Member> members, const MergedConsumer& consumer);
  void add_input(Member member, std::deque<BufferedInput>& inputs);

  InputOpener& opener_;
  const SortSpec& spec_;
  InputPositions positions_;
  ExactOrder order_;
  const MemoryPlan& plan_;
  std::span<const std::unique_ptr<WindowMerger>> mergers_;
  RunStore& store_;
  Observer& observer_;
  bool may_form_runs_;
  BufferedInput::DisorderSink report_disorder_;
  std::uint64_t unpacking_bytes_ = 0;  // of the inputs that are being merged
  Resources resources_;
  BufferedInput::Options options_;  // of the inputs that are merged at once
  EncodingBudget encoding_;
  Summary summary_;
};

}  // namespace sortie
