#include "record/time/time_parts.hpp"

#include <string_view>

#include "record/time/time_grammar.hpp"

namespace sortie {
namespace {

/// How a time of day is written.
enum class TimeOfDayForm : std::uint8_t {
  kNone,       ///< it is none
  kColons,     ///< h:mm, h:mm:ss, or what must be meant so
  kPoints,     ///< hh.mm.ss
  kMinus,      ///< hh-mm-ss, or hh_mm_ss
  kDigits,     ///< hhmmss or hhmm
  kDayPeriod,  ///< h AM
};

/// Whether another part of a time goes on here, which is none of those that were read.
bool is_at_further_part(const TimeCursor& cursor) { return is_at_shape<"([.:]9|%3a9)">(cursor); }

/// Takes [.fraction], also behind a comma, or behind a colon if it has three, six or nine digits.
bool take_fraction_if_any(TimeCursor& cursor, CivilTime& time) {
  if (!is_at_shape<"[.,:]9">(cursor)) return true;
  if (is_at_shape<":!(9{9}!9|9{6}!9|9{3}!9)">(cursor)) return false;
  cursor.skip();
  return cursor.take_fraction(time.attoseconds) && !is_at_further_part(cursor);
}

/// Takes a text of that shape as hour, minute and second.
template <ShapeText kShape>
bool take_clock(TimeCursor& cursor, CivilTime& time) {
  const unsigned numbers = take_numbers<kShape>(cursor, time.hour, time.minute, time.second);
  time.has_seconds = numbers == 3;
  return numbers > 0;
}

/// Whether bare digits come next that may be a time of day, with no word joined to them but Z: hhmm, hhmmss, or these
/// with a fraction.
bool is_at_bare_digits(const TimeCursor& cursor) { return is_at_shape<"(9{12}|9{9}|9{6}|9{4})!9(!A|z!W)">(cursor); }

/// Takes what follows seconds in bare digits.
bool take_rest_of_digits(TimeCursor& cursor, CivilTime& time) {
  if (!time.has_seconds) return true;
  return is_digit(cursor.peek()) ? cursor.take_fraction(time.attoseconds) : take_fraction_if_any(cursor, time);
}

/// Takes AM or PM, also behind blanks.
bool take_separate_day_period(TimeCursor& cursor, bool& is_afternoon) {
  if (is_at_shape<"[-+zZ]">(cursor)) return false;
  TimeCursor period = cursor;
  if (!take_shape<"(K*_S<opening>|_)">(period) || !take_day_period(period, is_afternoon) || period.goes_on())
    return false;
  cursor = period;
  return true;
}

/// Takes AM or PM behind h, h:mm and so on, if it is there.
bool take_day_period_if_any(TimeCursor& cursor, CivilTime& time) {
  bool is_afternoon = false;
  time.has_time_of_day = true;
  time.has_day_period = take_separate_day_period(cursor, is_afternoon);
  if (time.has_day_period) return set_hour_of_day_period(time, is_afternoon);
  return time.hour == 0 || time.hour > 12 || !is_at_shape<"_[aApP]!A.?$">(cursor);
}

/// Takes T or a blank, hh:mm:ss and a fraction behind a point: most times of day are so.
bool take_plain_time_of_day(TimeCursor& cursor, CivilTime& time) {
  if (cursor.peek(3) != ':' || cursor.peek(6) != ':' || (cursor.peek() != 'T' && cursor.peek() != ' ')) return false;
  TimeCursor ahead = cursor;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  std::uint64_t attoseconds = 0;
  ahead.skip();
  if (!ahead.take_digits(2, hour)) return false;
  ahead.skip();
  if (!ahead.take_digits(2, minute)) return false;
  ahead.skip();
  if (!ahead.take_digits(2, second)) return false;
  if (ahead.peek() == '.' && is_digit(ahead.peek(1))) {
    ahead.skip();
    ahead.take_fraction(attoseconds);
  }
  if (ahead.peek() == ',' || is_at_further_part(ahead)) return false;
  time.hour = hour;
  time.minute = minute;
  time.second = second;
  time.has_seconds = true;
  time.attoseconds = attoseconds;
  cursor = ahead;
  return true;
}

/// What begins here: a time of day, or what must be meant as one, even if it cannot be read.
TimeOfDayForm time_of_day_ahead(TimeCursor cursor, DateStyle style) {
  if (!is_digit(cursor.peek())) return TimeOfDayForm::kNone;
  if (is_at_shape<"9{3}">(cursor)) {
    return style == DateStyle::kBareDigits && is_at_bare_digits(cursor) ? TimeOfDayForm::kDigits : TimeOfDayForm::kNone;
  }
  if (is_at_shape<"9{1,2}(:9|h99)">(cursor)) return TimeOfDayForm::kColons;  // 13h55 is not read
  if (is_at_shape<"9{1,2}.99.99!9">(cursor)) return TimeOfDayForm::kPoints;
  if (is_at_shape<"99(-99-99|[_]99[_]99)!9">(cursor)) return TimeOfDayForm::kMinus;
  unsigned hour = 0;
  bool is_afternoon = false;
  return cursor.take_number(2, hour) && take_separate_day_period(cursor, is_afternoon) ? TimeOfDayForm::kDayPeriod
                                                                                       : TimeOfDayForm::kNone;
}

/// Takes a time of day of that form, which begins here.
bool take_time_of_day(TimeCursor& cursor, CivilTime& time, TimeOfDayForm form) {
  bool is_taken = false;
  switch (form) {
    case TimeOfDayForm::kPoints:
    case TimeOfDayForm::kMinus:
      is_taken = take_clock<"9{1,2}[-._]99[-._]99">(cursor, time) && take_fraction_if_any(cursor, time);
      break;
    case TimeOfDayForm::kDigits:
      // Minutes may stand behind an hour in a way that no form has: 13,55 or 13 55 36.
      is_taken = take_clock<"(99!9!([.:]9|%3a9|!S[,;/|_]9| 99!9 99!9)|9999!9!([.:]9|%3a9)|9{6})">(cursor, time) &&
                 take_rest_of_digits(cursor, time);
      break;
    case TimeOfDayForm::kColons:
      is_taken = take_clock<"9{1,2}:99(:99|!([.:]9|%3a9))">(cursor, time) &&
                 (!time.has_seconds || take_fraction_if_any(cursor, time));
      break;
    default:
      is_taken = take_clock<"9{1,2}">(cursor, time);
  }
  return is_taken && take_day_period_if_any(cursor, time) &&
         take_zone_behind_time_of_day(cursor, time) != ZoneTaken::kUnknown;
}

/// Takes what follows T, which must be a time of day: hh, too.
bool take_time_of_day_behind_t(TimeCursor& cursor, CivilTime& time, DateStyle style) {
  const std::size_t digits = cursor.digits_ahead();
  const bool is_bare =
      is_at_shape<"(9{12}|9{9}|9{6}|9{4})!9">(cursor) && (digits > 4 || style == DateStyle::kBareDigits);
  const TimeOfDayForm form = is_bare ? TimeOfDayForm::kDigits : time_of_day_ahead(cursor, style);
  if (form != TimeOfDayForm::kNone) return take_time_of_day(cursor, time, form);
  return digits == 2 && take_time_of_day(cursor, time, TimeOfDayForm::kDigits);
}

/// Four numbers with points between them: hh.mm.ss and a fraction, or an address.
bool may_be_address(const TimeCursor& cursor) { return is_at_shape<"(!(09)9{1,3}.){3}!(09)9{1,3}!9">(cursor); }

/// Whether that mark may join that time of day to a date. Behind a minus h:mm alone may be a zone.
bool may_join(char mark, TimeOfDayForm form, const TimeCursor& cursor, DateStyle style) {
  const bool has_bare_digits = is_at_shape<"9{5}">(cursor) && is_at_bare_digits(cursor);
  if (mark == '.' || mark == '/') return has_bare_digits;
  if (has_bare_digits) return mark != ':';
  if (form == TimeOfDayForm::kDigits) return mark != ':' && style == DateStyle::kBareDigits;
  if (form == TimeOfDayForm::kColons && mark == '-') return is_at_shape<"9{1,2}^^^:9">(cursor);
  return form == TimeOfDayForm::kColons || form == TimeOfDayForm::kPoints ||
         (form == TimeOfDayForm::kMinus && mark == '_');
}

/// Takes a time of day that a mark joins to a date, as in 2000-10-10_13:55, if there is one.
bool take_joined_time_of_day_if_any(TimeCursor& cursor, CivilTime& time, DateStyle style) {
  TimeCursor ahead = cursor;
  ahead.skip();
  const TimeOfDayForm form = time_of_day_ahead(ahead, style);
  if (cursor.is_at_one_of("_-:./") && may_join(cursor.peek(), form, ahead, style)) {
    cursor = ahead;
    return take_time_of_day(cursor, time, cursor.digits_ahead() > 2 ? TimeOfDayForm::kDigits : form);
  }
  return form == TimeOfDayForm::kNone || form == TimeOfDayForm::kDigits;
}

/// Skips a day of the week and blanks: 2000-10-10 Tue 13:55.
void skip_weekday(TimeCursor& cursor) {
  TimeCursor day = cursor;
  if (take_weekday(day) && take_shape<",? ">(day)) cursor = day;
}

}  // namespace

bool take_time_of_day_if_any(TimeCursor& cursor, CivilTime& time, DateStyle style) {
  if (take_plain_time_of_day(cursor, time)) {
    return take_day_period_if_any(cursor, time) && take_zone_behind_time_of_day(cursor, time) != ZoneTaken::kUnknown;
  }
  if (cursor.take('T') || cursor.take('t')) return take_time_of_day_behind_t(cursor, time, style);
  TimeCursor ahead = cursor;
  if (!take_gap(ahead)) return cursor.is_at_end() || take_joined_time_of_day_if_any(cursor, time, style);
  skip_weekday(ahead);
  take_shape<"t&(9{1,2}(:9|h99))">(ahead);  // behind a blank or a comma: 2000-10-10 T13:55
  const TimeOfDayForm form = time_of_day_ahead(ahead, style);
  if (form == TimeOfDayForm::kNone) return take_zone_behind_date(cursor, time);
  // It may as well be an address, or another date.
  if ((form == TimeOfDayForm::kPoints && may_be_address(ahead)) || form == TimeOfDayForm::kMinus) return false;
  cursor = ahead;
  return take_time_of_day(cursor, time, form);
}

bool take_joined_time_of_day(TimeCursor& cursor, CivilTime& time) {
  time.has_time_of_day = true;
  return take_clock<"(9{6}|9{4})">(cursor, time) && take_rest_of_digits(cursor, time) &&
         take_zone_behind_time_of_day(cursor, time) != ZoneTaken::kUnknown;
}

}  // namespace sortie
