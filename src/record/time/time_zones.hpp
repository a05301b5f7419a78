// The zones that TextOrder gives to written times: the one of those that name none, and names. TimeReader has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

#include "record/time/civil_time.hpp"
#include "record/time/local_zone.hpp"

namespace sortie {

class TimeZones {
 public:
  /// Null if the order names none. Throws Error if a zone is not known.
  static std::shared_ptr<const TimeZones> of(const TextOrder& order);

  /// Takes zones as TextOrder has them. Throws Error.
  TimeZones(const std::string& zone, const std::vector<ZoneName>& names, const std::string& database = tz_database());

  /// Sets the zone of `time` if `word` is one of the names, in either case.
  bool find(std::string_view word, CivilTime& time) const;
  /// Whether this is what times that name no zone are in.
  bool is_own_zone(std::string_view name) const { return !zone_.empty() && name == zone_; }

  /// Whether the zone of times that name none has been told.
  bool knows_own_zone() const { return !zone_.empty(); }

  /// All that offset_at() depends on, as text.
  std::string description() const;

  /// The offset from UTC of a time that has the zone of all, or that names a clock of it.
  std::int32_t offset_at(std::int64_t local_seconds, const CivilTime& time) const;

 private:
  std::string zone_;
  std::vector<ZoneName> names_;
  std::optional<LocalZone> local_;
  std::int32_t offset_ = 0;  // without local_
};

/// The offset that text such as +02:00, -0730, +2, UTC, GMT+2 or Z stands for; none if it is another.
std::optional<std::int32_t> parse_zone_offset(std::string_view text);

}  // namespace sortie
