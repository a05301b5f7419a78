// Binary search over sorted records in bytes, of fixed or variable length, without an offset table.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "record/record_order.hpp"

namespace sortie {

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
