// What sortie-check finds out about records: how many there are, their checksum, where they are out of order. Tallies
// of consecutive blocks add up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <sortie/report.hpp>

#include "tools/check/checked_order.hpp"

namespace sortie::tools {

/// Counts as valsort does: a record is unordered if its key is less than the one before, a duplicate if it is equal.
struct Tally {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  Checksum checksum;
  std::uint64_t duplicates = 0;
  std::uint64_t unordered = 0;
  std::uint64_t first_unordered = 0;  ///< number of the first unordered record, from 0; 0 if there is none

  /// Records how record number `record` compares with the one before it.
  void note_order(int previous_to_current, std::uint64_t record);

  /// Appends the tally of the records that follow.
  Tally& operator+=(const Tally& next);

  friend bool operator==(const Tally&, const Tally&) = default;
};

/// Tallies records, bytes and checksum only.
Tally tally_contents(const Layout& layout, std::span<const std::byte> records);

/// Tallies everything. `records` are whole records, numbered from 0.
Tally tally_order(const CheckedOrder& order, std::span<const std::byte> records);

}  // namespace sortie::tools
