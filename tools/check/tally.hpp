// What sortie-check finds out about records: how many there are, their checksum, where they are out of order. Tallies
// of consecutive blocks add up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/report.hpp>

#include "record/prefixed/prefixed_records.hpp"
#include "record/record_order.hpp"

namespace sortie::tools {

/// The order of records as they lie in a file. A length-prefixed record orders as a line does that is its key.
class CheckedOrder {
 public:
  /// Throws Error as validate() does.
  explicit CheckedOrder(const Format& format) : layout_(layout_of(format)), keys_(order_of_keys(format)) {}

  const Layout& layout() const { return layout_; }
  /// The order of what key_of() gives, for words of it.
  const RecordOrder& keys() const { return keys_; }

  /// The part of a record in which its key lies, without a delimiter.
  Record key_of(Record record) const {
    if (layout_.prefixed()) return PrefixedParts(record).key;
    return record.first(static_cast<std::size_t>(key_length(layout_, record.size())));
  }

  /// Compares the keys of two records, which begin alike up to `first_word`.
  int compare(Record a, Record b, std::uint64_t first_word = 0) const {
    const Record key_a = key_of(a);
    const Record key_b = key_of(b);
    return compare_keys(keys_.plan(), key_a.data(), key_a.size(), key_b.data(), key_b.size(), first_word);
  }

 private:
  static Format order_of_keys(const Format& format) {
    if (format.kind != RecordKind::kPrefixed) return format;
    Format keys_as_lines;
    keys_as_lines.descending = format.descending;
    return keys_as_lines;
  }

  Layout layout_;
  RecordOrder keys_;
};

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
