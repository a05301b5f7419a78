// Text whose digits, letters and marks are written in the forms of other scripts, as those of full width: the same in
// ASCII. Such times are not read, but what follows a time asks whether one is there.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "record/time/time_cursor.hpp"

namespace sortie {

class NarrowText {
 public:
  /// The text that comes next, up to some length.
  explicit NarrowText(TimeCursor cursor);

  std::string_view text() const { return {bytes_.data(), size_}; }
  /// Whether anything has become ASCII, and whether the first byte has.
  bool has_changed() const { return has_changed_; }
  bool has_new_begin() const { return has_new_begin_; }

 private:
  std::array<char, 48> bytes_{};
  std::size_t size_ = 0;
  bool has_changed_ = false;
  bool has_new_begin_ = false;
};

/// Whether a byte that is no ASCII is among the next few.
bool has_wide_text_ahead(const TimeCursor& cursor);

/// Whether the mark of an hour comes next, as Chinese, Japanese and Korean have it: that behind 13 in 13 o'clock.
bool is_at_wide_hour_mark(const TimeCursor& cursor);

}  // namespace sortie
