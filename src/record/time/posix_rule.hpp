// The rule by which a zone changes its clocks from some year on, as POSIX writes it: "CET-1CEST,M3.5.0,M10.5.0/3". It
// ends a file of the tz database; LocalZone goes on by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sortie {

/// The offset and the name that a zone has for some time: a "local time type" of RFC 9636.
struct LocalTimeType {
  std::string name;                 ///< CET
  std::int32_t offset_seconds = 0;  ///< east of UTC

  friend bool operator==(const LocalTimeType&, const LocalTimeType&) = default;
};

/// When clocks change, each year.
struct YearlyChange {
  enum class Form : std::uint8_t {
    kWeekday,      ///< day `day` of the week, Sunday being 0, in week `week` of `month`; 5: the last week
    kDay,          ///< day of the year, from 0, counting 29 February
    kDayOrdinary,  ///< day of the year, from 1, never counting 29 February
  };
  Form form = Form::kWeekday;
  unsigned month = 1;
  unsigned week = 1;
  unsigned day = 0;
  std::int32_t second = 7200;  ///< of the local time that ends, from the day's midnight on, within a week of it

  /// Seconds from 1970-01-01 on to the change in `year`, by the local time that ends.
  std::int64_t local_seconds(int year) const;
};

struct PosixRule {
  LocalTimeType standard;
  std::optional<LocalTimeType> summer;  ///< none: clocks do not change
  YearlyChange to_summer;
  YearlyChange to_standard;
};

/// None if the text is no such rule.
std::optional<PosixRule> parse_posix_rule(std::string_view text);

}  // namespace sortie
