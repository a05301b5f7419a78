// The order of whole records on the host: layout and key plan together. Used wherever records are compared outside an
// engine, and for binary search in sorted ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <sortie/format.hpp>

#include "record/key_plan.hpp"
#include "record/layout.hpp"

namespace sortie {

/// A record in memory: its bytes with the delimiter, if the layout has one.
using Record = std::span<const std::byte>;

inline std::string_view as_text(Record record) { return {reinterpret_cast<const char*>(record.data()), record.size()}; }

class RecordOrder {
 public:
  /// Throws Error as validate() does.
  explicit RecordOrder(const Format& format);

  const Layout& layout() const { return layout_; }
  const KeyPlan& plan() const { return plan_; }

  std::uint64_t prefix(Record record) const {
    return key_word(plan_, record.data(), key_length(layout_, record.size()), 0);
  }

  /// Whether equal prefixes may still hide unequal keys.
  bool key_exceeds_prefix() const { return plan_.whole_line || plan_.key_bytes > 8; }

  /// Negative, zero or positive. Words of the keys before `first_word` are taken as equal.
  int compare(Record a, Record b, std::uint64_t first_word = 0) const;

  /// The normalised key, at most `limit` bytes of it. Lines: the line's bytes, complemented when descending.
  std::vector<std::byte> normalised_key(Record record, std::size_t limit) const;

  /// Bytes of the whole normalised key.
  std::uint64_t key_bytes(Record record) const {
    return plan_.whole_line ? key_length(layout_, record.size()) : plan_.key_bytes;
  }

 private:
  Layout layout_;
  KeyPlan plan_;
};

/// Binary search over sorted records in bytes, of fixed or variable length, without an offset table.
/// Offset of the first record for which `before(record)` is false; bytes.size() if there is none.
/// Precondition: bytes are whole records, those with `before` come first. O(log bytes) calls.
template <class Before>
std::size_t partition_records(const Layout& layout, std::span<const std::byte> bytes, Before&& before) {
  std::size_t low = 0;
  std::size_t high = bytes.size();
  while (low < high) {
    std::size_t start = low + (high - low) / 2;
    if (layout.delimited()) {
      const void* stop = ::memrchr(bytes.data() + low, layout.delimiter, start - low);
      start = stop == nullptr ? low : static_cast<std::size_t>(static_cast<const std::byte*>(stop) - bytes.data()) + 1;
    } else {
      start = low + (start - low) / layout.record_bytes * layout.record_bytes;
    }
    const std::byte* record = bytes.data() + start;
    const std::uint64_t stored = stored_length(layout, record, bytes.data() + bytes.size());
    if (before(Record(record, static_cast<std::size_t>(stored)))) {
      low = start + static_cast<std::size_t>(stored);
    } else {
      high = start;
    }
  }
  return low;
}

/// Offset of the first record that is not before `key`.
std::size_t lower_bound_record(const RecordOrder& order, std::span<const std::byte> bytes, Record key);

/// Offset of the first record that is after `key`.
std::size_t upper_bound_record(const RecordOrder& order, std::span<const std::byte> bytes, Record key);

/// Where record `key` of range `key_range` cuts `bytes`, which are those of another range: behind the records that a
/// stable merge of the ranges puts before it.
inline std::size_t cut_for_merge(const RecordOrder& order, std::span<const std::byte> bytes, std::size_t range,
                                 Record key, std::size_t key_range) {
  return range < key_range ? upper_bound_record(order, bytes, key) : lower_bound_record(order, bytes, key);
}

}  // namespace sortie
