#include "record/time/civil_time.hpp"

#include <chrono>
#include <tuple>

namespace sortie {
namespace {

constexpr std::int64_t kSecondsInDay = 86'400;

// Digits of a number of base 224, from 0x10 on:
//
//   | seconds, 5 digits | milliseconds, 2 | microseconds, 2 | ... | attoseconds, 2 |     without zeros at the end
//
// Most times have whole seconds or milliseconds. Those of a leap second go on from 1000.

constexpr std::uint64_t kBase = 224;
constexpr unsigned kFirstDigit = 0x10;
constexpr int kSecondsDigits = 5;
/// A zone may be a day before the first second.
constexpr std::int64_t kLeastSeconds = kFirstSecond - 86'400;
static_assert(kLastSecond + 86'400 - kLeastSeconds < std::int64_t{kBase * kBase * kBase * kBase} * 224);

std::byte digit(std::uint64_t value) { return static_cast<std::byte>(kFirstDigit + value % kBase); }

std::byte* put_thousands(std::uint64_t value, std::byte* out) {
  out[0] = digit(value / kBase);
  out[1] = digit(value);
  return out + 2;
}

}  // namespace

std::optional<Instant> instant_of(const CivilTime& time) {
  const std::chrono::year_month_day date(std::chrono::year(*time.year), std::chrono::month(time.month),
                                         std::chrono::day(time.day));
  if (*time.year < 1 || !date.ok() || time.hour > 24 || time.minute > 59 || time.second > 60) return std::nullopt;
  const bool is_round_hour = time.minute == 0 && time.second == 0 && time.attoseconds == 0;
  if (time.hour == 24 && !is_round_hour) return std::nullopt;
  const bool is_leap_second = time.second == 60;
  const std::int64_t day = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t minute_of_day = std::int64_t{time.hour} * 60 + time.minute;
  const std::int64_t second_of_day = minute_of_day * 60 + time.second - is_leap_second;
  return Instant{day * kSecondsInDay + second_of_day - time.zone_seconds,
                 time.attoseconds + (is_leap_second ? kAttosecondsInSecond : 0)};
}

bool set_hour_of_day_period(CivilTime& time, bool is_afternoon) {
  if (time.hour == 0 || time.hour > 12) return false;
  time.hour = time.hour % 12 + (is_afternoon ? 12 : 0);
  return true;
}

int year_up_to(const CivilTime& time, std::int32_t last_day) {
  const std::chrono::year_month_day last{std::chrono::sys_days{std::chrono::days{last_day}}};
  const bool is_behind = std::tuple(time.month, time.day) > std::tuple(unsigned(last.month()), unsigned(last.day()));
  return static_cast<int>(last.year()) - (is_behind ? 1 : 0);
}

std::byte* write_time_key(const Instant& instant, std::byte* out) {
  auto seconds = static_cast<std::uint64_t>(instant.seconds - kLeastSeconds);
  for (int i = kSecondsDigits - 1; i >= 0; --i) {
    out[i] = digit(seconds);
    seconds /= kBase;
  }
  out += kSecondsDigits;
  std::uint64_t rest = instant.attoseconds;
  for (std::uint64_t unit = kAttosecondsInSecond / 1000; rest != 0; unit /= 1000) {
    out = put_thousands(rest / unit, out);
    rest %= unit;
  }
  return out;
}

}  // namespace sortie
