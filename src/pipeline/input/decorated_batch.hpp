// Holds decorated lines until they are taken. Lines are decorated in ranges, each by one thread into memory of its own,
// because their decorated length is not known beforehand. Filled and emptied by DecoratingReader.
//
//   lines        | range 0  | range 1  | range 2  |
//   decorated    | range 0      |   | range 1    |   | range 2       |        waiting
//   taken        | range 0      | range 1    | begin of range 2 |
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/layout.hpp"
#include "record/record_totals.hpp"
#include "record/text/decorated_lines.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

class DecoratedBatch {
 public:
  struct Size {
    std::size_t bytes = 0;  ///< length of decorated lines
    std::uint64_t records = 0;
    std::uint64_t line_bytes = 0;  ///< length of the same lines before decoration
  };

  /// `decorator` must outlive this. `checksum`: whether lines get one while they are decorated.
  DecoratedBatch(const LineDecorator& decorator, bool checksum)
      : decorator_(decorator),
        checksum_(checksum),
        line_layout_(layout_of(decorator.line_format())),
        decorated_layout_(layout_of(decorator.decorated_format())) {}

  bool empty() const { return next_ == range_count_; }
  /// Undecorated length of the waiting lines, which are the last ones that decorate() took.
  std::uint64_t waiting_line_bytes() const;

  /// Decorated bytes per byte of input in the last batch. Before the first batch, a guess that is too high.
  double expansion() const { return expansion_; }

  /// Decorates whole lines and returns their totals. `first_place`: the place of the first one in the input. Parallel.
  /// Precondition: empty.
  RecordTotals decorate(std::span<const std::byte> lines, std::uint64_t first_place);

  /// Moves the first lines to `target`: as many as fit, at most `max_records`. Parallel.
  Size take(std::span<std::byte> target, std::uint64_t max_records);

 private:
  struct Range {
    DecoratedLines decorated;
    std::size_t begin = 0;  // offset of the first waiting line
    Size waiting;
  };

  RecordTotals decorate_range(Range& range, std::span<const std::byte> lines, std::uint64_t first_place) const;
  Size fitting(const Range& range, std::size_t room, std::uint64_t max_records) const;

  const LineDecorator& decorator_;
  bool checksum_;
  Layout line_layout_;
  Layout decorated_layout_;
  std::vector<Range> ranges_;  // never shrinks, so that memory is reused
  std::size_t range_count_ = 0;
  std::size_t next_ = 0;  // the first range with waiting lines
  double expansion_ = 4;
};

}  // namespace sortie
