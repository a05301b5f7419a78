// Decorated lines that wait to be taken, batch by batch: as they come (DecoratedBatch), or put in order where they lie
// (OrderedBatch). A KeyedReader fills and empties one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/guess_counts.hpp"
#include "record/layout.hpp"
#include "record/record_scan.hpp"
#include "record/record_totals.hpp"
#include "record/text/decorated_lines.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

class LineBatch {
 public:
  struct Size {
    std::size_t bytes = 0;  ///< length of decorated lines
    std::uint64_t records = 0;
    std::uint64_t line_bytes = 0;  ///< length of the same lines before decoration

    Size operator+(const Size& term) const {
      return {bytes + term.bytes, records + term.records, line_bytes + term.line_bytes};
    }
    Size operator-(const Size& term) const {
      return {bytes - term.bytes, records - term.records, line_bytes - term.line_bytes};
    }
  };

  /// `codec` must outlive this. `checksum`: whether lines get one while they are decorated.
  LineBatch(const RecordCodec& codec, bool checksum)
      : codec_(codec),
        checksum_(checksum),
        line_layout_(layout_of(codec.input_format())),
        decorated_layout_(layout_of(codec.sorted_format())) {}
  virtual ~LineBatch() = default;

  /// Whether nothing can be taken before more is decorated.
  virtual bool empty() const = 0;
  /// Whether all lines taken so far came out in order.
  virtual bool are_in_order() const { return false; }
  /// Undecorated length of the waiting lines.
  virtual std::uint64_t waiting_line_bytes() const = 0;

  /// Memory of decorated lines that come as they lie, and giving it back. Precondition of that: empty.
  virtual std::uint64_t held_bytes() const { return 0; }
  virtual void give_back() {}

  /// Decorated bytes per byte of input in the last batch. Before the first batch, a guess that is too high.
  double expansion() const { return expansion_; }

  /// Decorates whole lines and returns their totals. `first_place`: the place of the first one in the input. `is_last`:
  /// no lines follow them. Parallel. Precondition: empty.
  virtual RecordTotals decorate(std::span<const std::byte> lines, std::uint64_t first_place, bool is_last) = 0;

  /// Moves the first lines to `target`: as many as fit, at most `max_records`. Parallel.
  virtual Size take(std::span<std::byte> target, std::uint64_t max_records) = 0;

  /// The first line of the last batch that is not of its form.
  const DecoratedLines::Unreadable& unreadable() const { return unreadable_; }
  /// What keys of the last batch had to be assumed to be.
  const GuessCounts& guesses() const { return guesses_; }

 protected:
  /// Call before the lines of a batch, then for each range of them in turn.
  void begin_findings() { guesses_.clear(); }
  void take_findings(const DecoratedLines& lines) {
    if (unreadable_.line == nullptr) unreadable_ = lines.unreadable();
    if (!lines.guesses().empty()) guesses_.add(lines.guesses());
  }

  const Layout& layout() const { return decorated_layout_; }
  const RecordCodec& codec() const { return codec_; }
  std::uint64_t line_bytes(Record decorated) const { return codec_.original_bytes(decorated); }

  /// Ranges of lines that fit a core's cache with their decorated form.
  std::vector<std::span<const std::byte>> cut(std::span<const std::byte> lines,
                                              std::size_t range_bytes = kRangeBytes) const {
    return split_records(line_layout_, lines, lines.size() / range_bytes + 1);
  }

  void measure(std::size_t decorated_bytes, std::size_t bytes) {
    if (decorated_bytes > 0) expansion_ = static_cast<double>(decorated_bytes) / static_cast<double>(bytes);
  }

  /// Decorates the lines of a range into `out`, which it clears, by decorate(line, place), and returns their totals.
  template <class Decorate>
  RecordTotals decorate_lines(std::span<const std::byte> lines, std::uint64_t first_place, DecoratedLines& out,
                              const Decorate& decorate) const {
    const auto expected_bytes = static_cast<std::size_t>(static_cast<double>(lines.size()) * expansion_ * kRoomToSpare);
    // Gives back the memory that a long line took.
    if (out.size() > 4 * std::max(expected_bytes, kRangeBytes)) out = DecoratedLines();
    out.clear();
    out.room(expected_bytes);
    RecordTotals totals;
    totals.bytes = lines.size();
    for_each_record(line_layout_, lines, [&](const std::byte* line, std::uint64_t stored) {
      const Record record(line, static_cast<std::size_t>(stored));
      decorate(record, first_place + static_cast<std::uint64_t>(line - lines.data()));
      ++totals.records;
      if (checksum_) totals.checksum += hash_record(record);
    });
    return totals;
  }

 private:
  static constexpr std::size_t kRangeBytes = 256 << 10;
  /// Slack, because the lines of one range grow more than those of another.
  static constexpr double kRoomToSpare = 1.1;

  const RecordCodec& codec_;
  bool checksum_;
  Layout line_layout_;
  Layout decorated_layout_;
  double expansion_ = 4;
  DecoratedLines::Unreadable unreadable_;
  GuessCounts guesses_;
};

}  // namespace sortie
