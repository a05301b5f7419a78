// An output in several files: how it is cut, and what tells of the parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sortie/text_order.hpp>

namespace sortie {

/// Largest allowed number of parts.
inline constexpr std::uint64_t kMostParts = 1'000'000;

/// Where an output is cut into parts. One of the first five may be set, or `by_first_key` and one of the three in front
/// of it; then SortOptions::output is a pattern of their
/// names. Parts are cut between records, those of several lines too, or between groups. Each begins with the header,
/// and is packed and verified as one output would be. All of them appear when all are complete, in place of files of
/// their names; other files are left alone. Only `count` makes parts without records. Not with a sink.
struct Parts {
  /// As many parts of about equal bytes: each record is in the part in whose share of the bytes it begins. If the size
  /// of the output is not known before it is written, it waits in scratch space.
  std::uint64_t count = 0;
  /// Parts of at most so many bytes before they are packed, header included; more only for a record that is longer.
  std::uint64_t most_bytes = 0;
  /// Parts of so many records; fewer in the last.
  std::uint64_t most_records = 0;
  /// Parts of records whose weights add up to at most so much; more only for a record that weighs more.
  std::uint64_t most_weight = 0;
  /// A part for each value of the first key, in the order of the values; one is open at a time. For lines. The name of
  /// a part of TextKind::kShare is that of the share. If parts of a value may be only so large, the pattern has a place
  /// for their numbers, too, as in "{}-{:05d}".
  bool by_first_key = false;
  /// Records, not groups, with equal keys are in one part, which grows until all of them are in it. With `most_bytes`
  /// it ends before a group of them that does not fit; more only for a group that is longer.
  bool together = false;
  /// Where a record has its weight, a whole number, as the number of its tokens; for `most_weight` and the list of the
  /// parts. Not for records of several lines, groups and counted lines, nor with `together`.
  std::optional<TextKey> weight = {};
  /// Path for a list of the parts as JSON; empty: none. It takes its place with them. src/cli/MANUAL.md has its form.
  std::string manifest_path = {};

  /// Whether there are parts at all.
  bool are_wanted() const { return count != 0 || are_limited() || by_first_key; }
  /// Whether parts may be only so large.
  bool are_limited() const { return most_bytes != 0 || most_records != 0 || most_weight != 0; }

  friend bool operator==(const Parts&, const Parts&) = default;
};

}  // namespace sortie
