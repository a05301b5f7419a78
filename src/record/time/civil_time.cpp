#include "record/time/civil_time.hpp"

#include <chrono>
#include <tuple>

namespace sortie {
namespace {

constexpr std::int64_t kSecondsInDay = 86'400;

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

}  // namespace sortie
