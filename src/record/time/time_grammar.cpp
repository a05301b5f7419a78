#include "record/time/time_grammar.hpp"

namespace sortie {
namespace {

/// Takes what has one of these shapes. Returns which; their number if it has none.
template <ShapeText... kShapes>
unsigned take_one_of(TimeCursor& cursor) {
  unsigned index = 0;
  static_cast<void>(((take_shape<kShapes>(cursor) || (++index, false)) || ...));
  return index;
}

}  // namespace

bool take_month(TimeCursor& cursor, unsigned& month) {
  const unsigned found =
      take_one_of<"jan(uary!A|!A.?)", "feb(ruary!A|!A.?)", "mar(ch!A|!A.?)", "apr(il!A|!A.?)", "may!A.?",
                  "jun(e!A|!A.?)", "jul(y!A|!A.?)", "aug(ust!A|!A.?)", "sep(tember!A|t?!A.?)", "oct(ober!A|!A.?)",
                  "nov(ember!A|!A.?)", "dec(ember!A|!A.?)">(cursor);
  if (found == 12) return false;
  month = found + 1;
  return true;
}

bool take_weekday(TimeCursor& cursor) {
  return take_shape<
      "(tue(sday!A|s?!A.?)|wed(nesday!A|!A.?)|thu(rsday!A|(rs)?!A.?)|sat(urday!A|!A.?)|(sun|mon|fri)(day!A|!A.?))">(
      cursor);
}

bool take_day_period(TimeCursor& cursor, bool& is_afternoon) {
  const bool is_p = (cursor.peek() | 0x20) == 'p';
  if (!take_shape<"<day period>">(cursor)) return false;
  is_afternoon = is_p;
  return true;
}

bool take_gap(TimeCursor& cursor) {
  if (cursor.peek() == ' ' && is_digit(cursor.peek(1))) return cursor.take(' ');
  const std::size_t begin = cursor.taken();
  take_shape<"K*B?(S|,)?B?">(cursor);
  if (cursor.taken() > begin) take_shape<"(at|[@])&[ ]B">(cursor);
  take_shape<"<opening>">(cursor);
  return cursor.taken() > begin;
}

}  // namespace sortie
