// A batch of encoded lines that wait to be taken: in the order of the input, or put in order where they lie
// (OrderedBatch). A KeyedReader fills it and empties it, again and again. Lines are encoded in ranges, each by one
// thread into memory of its own, because their encoded length is not known beforehand.
//
//   lines        | range 0  | range 1  | range 2  |
//   encoded      | range 0      |   | range 1    |   | range 2       |        waiting
//   taken        | range 0      | range 1    | begin of range 2 |
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/guess_counts.hpp"
#include "entries/entry.hpp"
#include "record/layout.hpp"
#include "record/record_scan.hpp"
#include "record/record_totals.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/text/group_table.hpp"
#include "record/text/neighbour_groups.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// How lines are handed out.
enum class Batches : std::uint8_t {
  kAsTheyCome,
  kInOrder,     ///< put in order: the input nearly is. encode() must be told which lines are the last
  kCombined,    ///< grouped lines with equal keys that are near one another become one (GroupTable); positions in the
                ///< input are known between batches alone
  kNeighbours,  ///< grouped lines with equal keys that are neighbours become one (NeighbourGroups); positions as above
};

class LineBatch {
 public:
  struct Size {
    std::size_t bytes = 0;  ///< length of encoded lines
    std::uint64_t records = 0;
    std::uint64_t line_bytes = 0;  ///< length of the same lines as they were read

    Size operator+(const Size& term) const {
      return {bytes + term.bytes, records + term.records, line_bytes + term.line_bytes};
    }
    Size operator-(const Size& term) const {
      return {bytes - term.bytes, records - term.records, line_bytes - term.line_bytes};
    }
  };

  /// `codec` must outlive this. `checksum`: lines are hashed while they are encoded.
  LineBatch(const RecordCodec& codec, bool checksum, Batches batches)
      : codec_(codec), checksum_(checksum), batches_(batches), line_layout_(layout_of(codec.input_format())) {}
  virtual ~LineBatch() = default;

  /// True if nothing waits: encode() may be called.
  bool empty() const { return next_ == stretches_.size(); }
  /// Whether all lines taken so far came out in order.
  virtual bool are_in_order() const { return false; }
  /// Length of the waiting lines as they were read.
  std::uint64_t waiting_line_bytes() const;

  /// Memory of encoded lines.
  std::uint64_t held_bytes() const;
  /// Gives memory back in which no lines wait.
  void give_back();

  /// Encoded bytes per byte of input in the last batch; before the first batch, a value that is rather too high.
  double expansion() const { return expansion_; }

  /// Encodes whole lines and returns their totals. `first_position`: position of the first line in the input.
  /// `is_last`: they are the last ones of the input. `by_number`: positions count records, not bytes; not for groups.
  /// Parallel. Precondition: empty().
  RecordTotals encode(std::span<const std::byte> lines, std::uint64_t first_position, bool is_last,
                      bool by_number = false);

  /// Moves the first lines to `target`: as many as fit, at most `max_records`. Parallel.
  Size take(std::span<std::byte> target, std::uint64_t max_records);

  /// The first line of the last batch that could not be read.
  const EncodedLines::Unreadable& unreadable() const { return unreadable_; }
  /// What had to be assumed of the keys of the last batch.
  const GuessCounts& guesses() const { return guesses_; }

 protected:
  /// At least one line that waits: all lines in `bytes`, or those that `lines` lists. They are taken from the front.
  struct Stretch {
    std::span<const std::byte> bytes;
    std::span<const Entry> lines;
    Size size;

    bool is_listed() const { return lines.data() != nullptr; }
  };

  struct Range {
    EncodedLines encoded;
    std::vector<Entry> lines;                     // where lines are put in order
    std::span<const Entry> body;                  // those of them that belong to no seam between ranges
    Size size;                                    // of the lines that wait
    std::unique_ptr<GroupTable> groups;           // where groups are combined
    std::unique_ptr<NeighbourGroups> neighbours;  // the same
    int ranges_to_skip = 0;                       // which are likely to have few lines with equal keys
  };

  /// Puts a range in order after it was encoded. Several threads call it at once, for different ranges.
  virtual void order_range(Range&) const {}
  /// Lists what can be taken of the first `count` ranges. May keep one range for the next batch: it is moved to the
  /// front and counted in `held_`.
  virtual std::vector<Stretch> arrange(std::size_t count, bool is_last);

  Size size_of(std::span<const std::byte> bytes, std::span<const Entry> lines) const;

  std::uint64_t line_bytes(Record encoded) const { return codec_.original_bytes(encoded); }

  std::vector<Range> ranges_;  // never shrinks, so that memory is reused
  std::size_t held_ = 0;       // ranges at the front that wait for the next batch: 0 or 1

 private:
  RecordTotals encode_range(Range& range, std::span<const std::byte> lines, std::uint64_t first_position,
                            bool by_number) const;
  bool combines() const { return batches_ == Batches::kCombined || batches_ == Batches::kNeighbours; }
  RecordTotals combine_range(Range& range, std::span<const std::byte> lines, std::uint64_t first_position) const;
  template <class Groups>
  RecordTotals combine_in(Groups& groups, Range& range, std::span<const std::byte> lines,
                          std::uint64_t first_position) const;
  template <class Encode>
  RecordTotals encode_lines(std::span<const std::byte> lines, std::uint64_t first_position, bool by_number,
                            EncodedLines& out, const Encode& encode) const;
  std::vector<std::uint64_t> offsets_of(std::span<const std::span<const std::byte>> pieces, bool by_number) const;
  Size fitting(const Stretch& stretch, std::size_t room, std::uint64_t max_records) const;
  static Stretch take_front(Stretch& stretch, const Size& part);

  const RecordCodec& codec_;
  bool checksum_;
  Batches batches_;
  Layout line_layout_;
  double expansion_ = 4;
  EncodedLines::Unreadable unreadable_;
  GuessCounts guesses_;
  std::vector<Stretch> stretches_;
  std::size_t next_ = 0;  // the first stretch with waiting lines
};

}  // namespace sortie
