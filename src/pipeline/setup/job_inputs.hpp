// The inputs of a job: their header, the options that follow from the header, what is known of their size and their
// records before these are sorted, and the one place that chooses how they are read. JobInputs finds facts out once,
// and again after it has read the beginning of a pipe or mapped a file. Used by SortJob and by plan().
//
//   as they are    InputSequence ── RecordReader
//   with keys      InputSequence ── RecordReader, copied or in place ── KeyedReader
//   whole          InputSequence ── WholeInput, where an engine can take it
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "io/files/file.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/input_mark.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/input_sequence.hpp"
#include "pipeline/input/keyed_reader.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/input/record_reader.hpp"
#include "pipeline/input/whole_input.hpp"
#include "pipeline/setup/job_plan.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "record/text/encoded_lines.hpp"

namespace sortie {

/// Smaller inputs gain nothing by being mapped.
inline constexpr std::uint64_t kLeastMappedBytes = 32 << 20;

/// What decides, beside the plan, whether the input may be mapped.
struct MappingOptions {
  bool keeps_runs = false;    ///< in a checkpoint: they must not refer to where the input lies in memory
  bool output_waits = false;  ///< for its reader: a mapped input would block its writers meanwhile
  std::uint64_t least_bytes = kLeastMappedBytes;  ///< an input of fewer is not mapped
};

class JobInputs {
 public:
  /// Looks at all inputs, which will be read one after another. Those of a merge are opened one by one: it looks at
  /// them until the header is known. `header`: that of all inputs of a sort of which these are a part, if they are.
  /// Throws Error if one of them cannot be read, as InputSequence does, or if a key names a column that the header does
  /// not have.
  JobInputs(FileSystem& files, const SortOptions& options, Observer& observer, RecordForm form = RecordForm::kPlain,
            const std::optional<GivenHeader>& header = std::nullopt);

  /// The output is kept in memory, up to so many bytes of the budget, until it is complete.
  void hold_output(std::uint64_t most_bytes) { sizes_.budget.held_output_bytes = most_bytes; }

  /// Begins behind what an earlier attempt has read. Throws Error as RecordReader does.
  void begin_at(const InputMark& mark);

  /// The position of the first byte, if other processes sort the inputs before and behind these.
  void begin_at_position(std::uint64_t position) { first_position_ = position; }

  /// Counts what an earlier attempt has read as read. For a plan, which reads nothing.
  void count_resumed(const InputMark& mark) { sizes_.resumed_bytes = mark.totals.bytes; }

  /// Finds out what can be known now without reading further.
  void take_sizes();

  /// Reads the first records of inputs whose size is not known: if these are all, their size is known now.
  /// Preconditions: take_sizes(), nothing has been read.
  void read_if_little();

  /// Gets ready to read as planned: reads the beginning of a pipe, or maps the input so that encoded lines refer to
  /// it; their format stays the same. Returns whether more is known now, so that the plan changes. It does not if the
  /// input cannot be mapped or there is no room beside it. Preconditions: take_sizes(), and nothing has been read but
  /// by read_if_little().
  bool prepare(Reading reading, const MappingOptions& mapping);

  /// Whether the inputs are large files, each of which a sample shows to be in order by itself: then they need not be
  /// sorted. False if it is known already that lines are nearly in order. Call after prepare().
  bool seem_sorted() const;

  /// From now on the inputs are merged as they stand, as for SortOptions::merge_only. Preconditions: seem_sorted(),
  /// nothing has been read.
  void leave_to_merge();

  /// Reads pieces before an engine can take them, while `is_worth_it` and until they take `most_bytes` of memory or an
  /// eighth of the job's.
  void read_ahead(std::uint64_t most_bytes, const std::function<bool()>& is_worth_it);

  /// All records in the form in which they are sorted. Belongs to this, until finish_reading().
  PieceSource& records(const EncodingBudget& budget);

  /// The same if they are lines of a large file, all wanted, and a sample shows them to be nearly in order; else null.
  /// Call in place of records().
  KeyedReader* lines_in_order(const EncodingBudget& budget);

  /// The same records for an engine that can take them whole; null if the input must not be mapped, or if records are
  /// encoded or selected on the way. Belongs to this, until finish_reading(), which the memory that it maps must
  /// outlive.
  WholeInput* whole_input();

  /// Ends reading and gives its memory back. Returns the totals of all records read, by earlier attempts too. Throws
  /// Error as check() does.
  RecordTotals finish_reading();

  /// Totals of all records that have been read by now, by earlier attempts too.
  RecordTotals totals_read() const;

  /// Throws Error if a mapped input is damaged: then all that was read may be wrong, and that is the cause of other
  /// errors. Must be called before the output is trusted: records may refer to the input even after it has been read.
  void check();

  const SortSpec& spec() const { return spec_; }
  const InputSizes& sizes() const { return sizes_; }
  /// Records from all over the input in the form in which they are sorted, if these stay in place; else none.
  std::span<const std::byte> sample() const { return sample_.bytes(); }
  InputOpener& opener() { return opener_; }
  const InputOpener& opener() const { return opener_; }
  /// The header of the inputs; empty if they have none.
  std::span<const std::byte> header() const { return opener_.header(); }
  /// What the output has in front: that header, or the names of what groups show.
  std::span<const std::byte> shown_header() const;
  /// Null before begin_at().
  const RecordReader* reader() const { return reader_.get(); }

 private:
  void open_all();
  bool is_large_file() const;
  bool may_be_mapped() const;
  bool must_tell_inputs_apart() const;
  bool hashes_input() const;
  std::uint64_t piece_bytes() const;
  Batches batches() const;
  bool leave_lines_in_place();
  void look_for_order();
  bool seem_in_order(std::span<const std::byte> sample) const;

  InputOpener opener_;
  SortSpec spec_;
  InputSizes sizes_;
  Observer& observer_;
  std::optional<std::uint64_t> least_mapped_bytes_;  // nothing: the input must not be mapped
  std::uint64_t least_merged_bytes_ = 0;
  std::optional<InputSequence> looked_at_;  // until begin_at()
  std::shared_ptr<RecordReader> reader_;
  std::unique_ptr<WholeInput> whole_;
  EncodedLines sample_;
  bool are_nearly_in_order_ = false;     // as far as the sample says
  std::shared_ptr<PieceSource> source_;  // of records in the form in which they are sorted
  RecordTotals read_whole_;              // of what was read whole, once that is gone
  std::uint64_t first_position_ = 0;
};

}  // namespace sortie
