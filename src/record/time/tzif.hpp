// Takes a file of the tz database apart: TZif, RFC 9636, of version 1 to 4. LocalZone is made of it.
//
//   | "TZif" | version | 15 bytes | 6 counts | changes, their types, types, names, ... |        counts of 4 bytes
//   | the same again with times of 8 bytes | newline | rule | newline |                         version 2 and later
//
// By the rule a zone changes its clocks from some year on, as POSIX writes it: "CET-1CEST,M3.5.0,M10.5.0/3".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sortie {

/// The offset and the name that a zone has for some time: a "local time type" of RFC 9636.
struct LocalTimeType {
  std::string name;                 ///< CET
  std::int32_t offset_seconds = 0;  ///< east of UTC

  friend bool operator==(const LocalTimeType&, const LocalTimeType&) = default;
};

struct TzifChange {
  std::int64_t begin = 0;  ///< in seconds of UTC
  LocalTimeType type;
};

struct TzifZone {
  /// In order of time. The first one is what holds before all changes.
  std::vector<TzifChange> changes;
  std::string rule;  ///< of what comes later; empty: the last type stays
};

/// Throws Error, which begins with `what`, if the bytes are no such file or count leap seconds.
TzifZone parse_tzif(std::span<const std::byte> file, const std::string& what);

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
