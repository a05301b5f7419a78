// Takes a file of the tz database apart: TZif, RFC 9636, of version 1 to 4. LocalZone is made of it.
//
//   | "TZif" | version | 15 bytes | 6 counts | changes, their types, types, names, ... |        counts of 4 bytes
//   | the same again with times of 8 bytes | newline | rule | newline |                         version 2 and later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/time/posix_rule.hpp"

namespace sortie {

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

}  // namespace sortie
