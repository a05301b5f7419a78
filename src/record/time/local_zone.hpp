// A zone of the system's tz database, read from its file (TZif, RFC 9636), and what its clocks show. TimeZones has one.
//
// There is no library in it. Those that Debian has for this (date, cctz) are shared alone, and bring back the shared
// library of C++, whose loading takes a third of a short run; date ends in 2037, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/time/tzif.hpp"

namespace sortie {

class LocalZone {
 public:
  /// Reads a file of the tz database. Throws Error, which begins with `what`, if it is none.
  LocalZone(std::span<const std::byte> file, const std::string& what);

  /// Reads the zone `name` of the tz database in the folder `database`. Throws Error that says what is missing.
  static LocalZone load(const std::string& name, const std::string& database);

  /// The offset from UTC of the clock that shows `local_seconds`, counted from 1970-01-01. If clocks were set back and
  /// show it twice, that of the first time; if they were set forward over it, the one before that. O(log changes).
  std::int32_t offset_at(std::int64_t local_seconds) const;
  /// The same of the clock that has the name with index `name`. If it does not show this then, the last one before
  /// with this name counts, else the first one.
  std::int32_t offset_at(std::int64_t local_seconds, std::size_t name) const;

  /// All clocks and when they begin, as text: what two releases of the tz database may have otherwise.
  std::string description() const;

  /// The names that clocks have in this zone, all of letters: CET, CEST.
  const std::vector<std::string>& names() const { return names_; }

 private:
  // A clock and when it begins. The first one has been there ever since.
  struct Period {
    std::int64_t begin;  // in seconds of UTC
    std::int32_t offset;
    std::size_t name;  // kNoName: it has none of letters
  };
  static constexpr std::size_t kNoName = static_cast<std::size_t>(-1);

  std::size_t index_of_name(std::string_view name);
  void add_period(std::int64_t begin, std::int32_t offset, std::string_view name);
  void add_rule(const PosixRule& rule);
  void set_ends();
  std::int64_t in_first_cycle(std::int64_t local_seconds) const;
  std::size_t period_at(std::int64_t local_seconds) const;

  std::vector<Period> periods_;
  std::vector<std::int64_t> ends_;  // where each but the last period ends, in what its clock shows
  std::vector<std::string> names_;
  std::int64_t cycle_end_ = INT64_MAX;  // from here on it is as 400 years before
};

/// The folder of the system's tz database: TZDIR, as for the C library, or /usr/share/zoneinfo.
std::string tz_database();

}  // namespace sortie
