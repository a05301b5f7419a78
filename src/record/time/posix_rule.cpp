#include "record/time/posix_rule.hpp"

#include <chrono>

#include "record/time/time_cursor.hpp"

namespace sortie {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;

/// Takes letters, or whatever stands between < and >.
bool take_type_name(TimeCursor& cursor, std::string& name) {
  const bool is_quoted = cursor.take('<');
  const auto goes_on = [&] {
    const char next = cursor.peek();
    const bool is_sign = next == '+' || next == '-';
    return TimeCursor::is_letter(next) || (is_quoted && (is_digit(next) || is_sign));
  };
  for (; goes_on(); cursor.skip()) name += cursor.peek();
  return (!is_quoted || cursor.take('>')) && name.size() >= 3;
}

/// Takes [+|-]h[hh][:mm[:ss]].
bool take_seconds(TimeCursor& cursor, std::int32_t& seconds) {
  const bool is_negative = cursor.take('-');
  if (!is_negative) cursor.take('+');
  unsigned hours = 0;
  unsigned minutes = 0;
  unsigned rest = 0;
  if (!cursor.take_number(3, hours) || hours > 167) return false;
  if (cursor.take(':') && (!cursor.take_digits(2, minutes) || minutes > 59)) return false;
  if (cursor.take(':') && (!cursor.take_digits(2, rest) || rest > 59)) return false;
  const auto whole = static_cast<std::int32_t>(hours * 3600 + minutes * 60 + rest);
  seconds = is_negative ? -whole : whole;
  return true;
}

/// Takes a name and how far west it is.
bool take_rule_type(TimeCursor& cursor, LocalTimeType& type) {
  std::int32_t west = 0;
  if (!take_type_name(cursor, type.name) || !take_seconds(cursor, west) || west <= -86'400 || west >= 86'400) {
    return false;
  }
  type.offset_seconds = -west;
  return true;
}

/// Takes Mm.w.d, Jn or n, and a time of day behind a slash.
bool take_change(TimeCursor& cursor, YearlyChange& change) {
  if (cursor.take('M')) {
    change.form = YearlyChange::Form::kWeekday;
    const bool is_taken = cursor.take_number(2, change.month) && cursor.take('.') &&
                          cursor.take_number(1, change.week) && cursor.take('.') && cursor.take_number(1, change.day);
    if (!is_taken || change.month < 1 || change.month > 12 || change.week < 1 || change.week > 5 || change.day > 6) {
      return false;
    }
  } else {
    const bool is_ordinary = cursor.take('J');
    change.form = is_ordinary ? YearlyChange::Form::kDayOrdinary : YearlyChange::Form::kDay;
    if (!cursor.take_number(3, change.day) || change.day > 365 || (is_ordinary && change.day == 0)) return false;
  }
  return !cursor.take('/') || take_seconds(cursor, change.second);
}

}  // namespace

std::int64_t YearlyChange::local_seconds(int year) const {
  using namespace std::chrono;
  const std::chrono::year in{year};
  sys_days date;
  if (form == Form::kWeekday) {
    const std::chrono::weekday on{day};
    const std::chrono::month of{month};
    date = week == 5 ? sys_days(in / of / on[last]) : sys_days(in / of / on[week]);
  } else {
    date = sys_days(in / January / 1) + days{day};
    if (form == Form::kDayOrdinary) date -= days{in.is_leap() && day >= 60 ? 0 : 1};
  }
  return date.time_since_epoch().count() * kSecondsOfDay + second;
}

std::optional<PosixRule> parse_posix_rule(std::string_view text) {
  TimeCursor cursor(text);
  PosixRule rule;
  if (!take_rule_type(cursor, rule.standard)) return std::nullopt;
  if (cursor.is_at_end()) return rule;
  LocalTimeType& summer = rule.summer.emplace();
  if (!take_type_name(cursor, summer.name)) return std::nullopt;
  summer.offset_seconds = rule.standard.offset_seconds + 3600;
  std::int32_t west = 0;
  if (cursor.peek() != ',') {
    if (!take_seconds(cursor, west) || west <= -86'400 || west >= 86'400) return std::nullopt;
    summer.offset_seconds = -west;
  }
  const bool is_taken = cursor.take(',') && take_change(cursor, rule.to_summer) && cursor.take(',') &&
                        take_change(cursor, rule.to_standard) && cursor.is_at_end();
  return is_taken ? std::optional(rule) : std::nullopt;
}

}  // namespace sortie
