// Decorated lines that wait to be taken. Lines are decorated in ranges, each by one thread into memory of its own:
// how long they get shows only then. Filled and emptied by DecoratingReader.
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
#include "record/text/decorated_lines.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

class DecoratedBatch {
 public:
  struct Size {
    std::size_t bytes = 0;  ///< decorated
    std::uint64_t records = 0;
    std::uint64_t line_bytes = 0;  ///< of the same lines before
  };

  /// `decorator` must outlive this.
  explicit DecoratedBatch(const LineDecorator& decorator)
      : decorator_(decorator),
        line_layout_(layout_of(decorator.line_format())),
        decorated_layout_(layout_of(decorator.decorated_format())) {}

  bool empty() const { return next_ == range_count_; }
  /// Length before decoration of the lines that wait: the last ones of those that decorate() took.
  std::uint64_t waiting_line_bytes() const;

  /// How many bytes a byte became in the last batch; nothing was decorated yet: a guess that is high.
  double expansion() const { return expansion_; }

  /// Decorates whole lines, which lie in the input from `first_place` on. Parallel. Precondition: empty.
  void decorate(std::span<const std::byte> lines, std::uint64_t first_place);

  /// Moves the first lines to `target`: as many as fit, at most `max_records`. Parallel.
  Size take(std::span<std::byte> target, std::uint64_t max_records);

 private:
  struct Range {
    DecoratedLines decorated;
    std::size_t begin = 0;  // of what waits
    Size waiting;
  };

  void decorate_range(Range& range, std::span<const std::byte> lines, std::uint64_t first_place) const;
  Size fitting(const Range& range, std::size_t room, std::uint64_t max_records) const;

  const LineDecorator& decorator_;
  Layout line_layout_;
  Layout decorated_layout_;
  std::vector<Range> ranges_;  // as many as there ever were: their memory is used again
  std::size_t range_count_ = 0;
  std::size_t next_ = 0;  // the first range that waits
  double expansion_ = 4;
};

}  // namespace sortie
