// Finds out which moment a text stands for: in the forms that logs and data have, as a number since 1970, or in a form
// of the caller's. Time keys are made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sortie/text_order.hpp>

#include "record/time/civil_time.hpp"
#include "record/time/time_zones.hpp"

namespace sortie {

struct TimeFound {
  Instant instant;
  std::size_t bytes = 0;          ///< of the text up to the end of the time; 0: the text is no time
  bool lacks_year = false;        ///< it is a time, but which is not known
  bool assumes_year = false;      ///< it has no year: that which the last day gives
  bool has_unknown_zone = false;  ///< that is why it is no time
  bool has_zone = false;          ///< one is written
  bool assumes_zone = false;      ///< none is written, nor has been told: UTC
};

class TimeReader {
 public:
  /// `last_day`, `separator`: see TextOrder. `zones`: null for none. Precondition: the type is valid.
  TimeReader(const TimeType& type, std::optional<std::int32_t> last_day, std::string separator = {},
             std::shared_ptr<const TimeZones> zones = nullptr);

  /// Reads the time that `text` begins with, behind blanks, brackets and quotes. What follows does not count; but if it
  /// looks like a time of day or a zone that cannot be read, the text is no time.
  TimeFound read(std::string_view text) const;

 private:
  TimeFound read_number(std::string_view text) const;
  TimeFound found(CivilTime& time, std::size_t bytes) const;

  TimeForm form_;
  std::string pattern_;
  std::optional<std::int32_t> last_day_;
  std::string separator_;
  std::shared_ptr<const TimeZones> zones_;
};

}  // namespace sortie
