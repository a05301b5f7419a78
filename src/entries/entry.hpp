// Entries, which are sorted instead of records, and the chunk in memory where the records lie that they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "record/record_order.hpp"

namespace sortie {

/// Stands for a record: a word of its key, and where the record is. Entries order by (word, location), so equal words
/// keep their input order.
///
///   location   | byte offset in the chunk : 40 | stored length : 24, all ones if longer |
struct alignas(16) Entry {
  std::uint64_t location = 0;
  std::uint64_t word = 0;

  friend bool operator==(const Entry&, const Entry&) = default;
  friend bool operator<(const Entry& a, const Entry& b) {
    return a.word != b.word ? a.word < b.word : a.location < b.location;
  }
};

/// Stored lengths below this are kept in the entry.
inline constexpr std::uint64_t kLongRecord = (1 << 24) - 1;
/// Offsets in a chunk are below this.
inline constexpr std::uint64_t kMaxChunkBytes = std::uint64_t{1} << 40;

/// How many entries ahead records are prefetched. They lie anywhere in the chunk: this hides the latency of memory.
inline constexpr std::size_t kPrefetchDistance = 32;

constexpr std::uint64_t make_location(std::uint64_t offset, std::uint64_t stored_bytes) {
  return offset << 24 | (stored_bytes < kLongRecord ? stored_bytes : kLongRecord);
}
constexpr std::uint64_t offset_of(const Entry& entry) { return entry.location >> 24; }

/// The records of a chunk, found through entries. Cheap to copy.
class ChunkRecords {
 public:
  ChunkRecords(const RecordOrder& order, std::span<const std::byte> bytes) : order_(&order), bytes_(bytes) {}

  const RecordOrder& order() const { return *order_; }
  std::span<const std::byte> bytes() const { return bytes_; }

  Record operator[](const Entry& entry) const {
    const std::byte* record = bytes_.data() + offset_of(entry);
    std::uint64_t stored = entry.location & kLongRecord;
    if (stored == kLongRecord) stored = stored_length(order_->layout(), record, bytes_.data() + bytes_.size());
    return {record, static_cast<std::size_t>(stored)};
  }

  /// Prefetches byte `at` of the record, which may lie behind its end, into the second-level cache: the first level has
  /// too few misses in flight (gathering records of 100 bytes, 30 to 27 ns each, AMD EPYC).
  void prefetch(const Entry& entry, std::uint64_t at) const {
    __builtin_prefetch(bytes_.data() + offset_of(entry) + at, 0, 2);
  }

 private:
  const RecordOrder* order_;
  std::span<const std::byte> bytes_;
};

}  // namespace sortie
