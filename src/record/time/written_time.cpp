#include "record/time/written_time.hpp"

#include <algorithm>
#include <utility>

#include "record/time/time_cursor.hpp"
#include "record/time/time_grammar.hpp"
#include "record/time/time_parts.hpp"
#include "record/time/time_pattern.hpp"

namespace sortie {

TimeReader::TimeReader(const TimeType& type, std::optional<std::int32_t> last_day, std::string separator,
                       std::shared_ptr<const TimeZones> zones)
    : form_(type.form),
      pattern_(type.form == TimeForm::kPattern ? expanded_time_pattern(type.pattern) : std::string()),
      last_day_(last_day),
      separator_(std::move(separator)),
      zones_(std::move(zones)) {}

TimeFound TimeReader::read(std::string_view text) const {
  if (form_ != TimeForm::kUsual && form_ != TimeForm::kPattern) return read_number(text);
  TimeCursor cursor(text, separator_, zones_.get());
  CivilTime time;
  const bool has_pattern = form_ == TimeForm::kPattern;
  has_pattern ? take_shape<"B?">(cursor) : take_shape<"<opening>">(cursor);
  const bool is_taken = has_pattern ? take_pattern(pattern_, cursor, time)
                                    : take_usual_time(cursor, time) && !cursor.goes_on() && !is_cut_off(cursor, time);
  if (is_taken) return found(time, cursor.taken());
  return {.instant = {}, .has_unknown_zone = time.zone == CivilTime::Zone::kUnknown};
}

TimeFound TimeReader::found(CivilTime& time, std::size_t bytes) const {
  const bool assumes_year = !time.year;
  if (assumes_year) {
    if (!last_day_) return {.instant = {}, .bytes = bytes, .lacks_year = true};
    time.year = year_up_to(time, *last_day_);
  }
  std::optional<Instant> instant = instant_of(time);
  if (!instant) return {};
  const bool has_zone = time.zone != CivilTime::Zone::kNone;
  if (zones_ && time.zone != CivilTime::Zone::kOffset) instant->seconds -= zones_->offset_at(instant->seconds, time);
  return {.instant = *instant,
          .bytes = bytes,
          .assumes_year = assumes_year,
          .has_zone = has_zone,
          .assumes_zone = !has_zone && !(zones_ && zones_->knows_own_zone())};
}

// Takes [-]digits[.digits]. The last digits of the whole number may be of a fraction, which those behind the point go
// on:
//
//   of milliseconds   971186136 123 . 45
//                     seconds   fraction
TimeFound TimeReader::read_number(std::string_view text) const {
  constexpr std::int64_t kTooLarge = kLastSecond + 1;
  TimeCursor cursor(text, separator_);
  take_shape<"<opening>">(cursor);
  const bool is_negative = cursor.take('-');
  const std::size_t digits = cursor.digits_ahead();
  if (digits == 0) return {};
  // Seconds, milliseconds and so on follow one another.
  const std::size_t unit_digits = 3 * (static_cast<std::size_t>(form_) - static_cast<std::size_t>(TimeForm::kSeconds));
  const std::size_t of_fraction = std::min(digits, unit_digits);
  std::int64_t seconds = 0;
  for (std::size_t i = of_fraction; i < digits; ++i) seconds = std::min(seconds * 10 + cursor.take_digit(), kTooLarge);
  FractionDigits fraction;
  for (std::size_t i = of_fraction; i < unit_digits; ++i) fraction.append(0);
  for (std::size_t i = 0; i < of_fraction; ++i) fraction.append(cursor.take_digit());
  if (cursor.peek() == '.' && is_digit(cursor.peek(1)) && cursor.take('.')) {
    while (is_digit(cursor.peek())) fraction.append(cursor.take_digit());
  }
  // Else it is the first part of something else: 10:55:36, 1,696,946,136.
  if (!is_at_shape<"($|& |S|Q|[\r\n])">(cursor)) return {};
  std::uint64_t attoseconds = fraction.attoseconds();
  if (is_negative) {
    seconds = -seconds - (attoseconds > 0 ? 1 : 0);
    attoseconds = attoseconds > 0 ? kAttosecondsInSecond - attoseconds : 0;
  }
  if (seconds < kFirstSecond || seconds > kLastSecond) return {};
  return {{seconds, attoseconds}, cursor.taken()};
}

}  // namespace sortie
