// Entries, which are sorted instead of records, and the chunk in memory where the records lie that they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <unordered_map>

#include "record/record_order.hpp"

namespace sortie {

/// Stands for a record: a word of its key, and where the record is. Entries order by (word, location), so equal words
/// keep their input order.
///
///   location   | byte offset in the chunk : 40 | stored length : 24, all ones if longer |
struct alignas(16) Entry {
  // Not initialised: memory for entries is not touched before there are any.
  std::uint64_t location;
  std::uint64_t word;

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

/// The lengths of a chunk's long records. A record keeps the length that it had when its entry was made, even if the
/// chunk is a file in memory, and somebody changes the file. Thread-safe.
class LongRecords {
 public:
  void add(std::uint64_t offset, std::uint64_t stored_bytes) {
    const std::scoped_lock lock(mutex_);
    lengths_.emplace(offset, stored_bytes);
  }
  /// Precondition: the record was added.
  std::uint64_t stored_bytes(std::uint64_t offset) const {
    const std::shared_lock lock(mutex_);
    return lengths_.at(offset);
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, std::uint64_t> lengths_;
};

/// The records of a chunk, found through entries. Cheap to copy.
class ChunkRecords {
 public:
  /// `long_records` must outlive this. Without it the end of a long record is searched for each time: such a record may
  /// change its length if the bytes change.
  ChunkRecords(const RecordOrder& order, std::span<const std::byte> bytes, const LongRecords* long_records = nullptr)
      : order_(&order), bytes_(bytes), long_records_(long_records) {}

  const RecordOrder& order() const { return *order_; }
  std::span<const std::byte> bytes() const { return bytes_; }

  Record operator[](const Entry& entry) const {
    const std::byte* record = bytes_.data() + offset_of(entry);
    std::uint64_t stored = entry.location & kLongRecord;
    if (stored == kLongRecord) stored = long_length(entry);
    return {record, static_cast<std::size_t>(stored)};
  }

  /// Prefetches byte `at` of the record, which may lie behind its end, into the second-level cache: the first level has
  /// too few misses in flight (gathering records of 100 bytes, 30 to 27 ns each, AMD EPYC).
  void prefetch(const Entry& entry, std::uint64_t at) const {
    __builtin_prefetch(bytes_.data() + offset_of(entry) + at, 0, 2);
  }
  /// Prefetches the first cache lines of the record, and the last one if it is short. Without those in the middle,
  /// records of 109 to 220 bytes take 39 ns each for 35 (AMD EPYC).
  void prefetch(const Entry& entry) const {
    constexpr std::uint64_t kCacheLineBytes = 64;
    constexpr std::uint64_t kShort = 255;
    const std::uint64_t stored = entry.location & kLongRecord;
    prefetch(entry, 0);
    prefetch(entry, kCacheLineBytes);
    if (stored > 2 * kCacheLineBytes) {
      prefetch(entry, 2 * kCacheLineBytes);
      if (stored > 3 * kCacheLineBytes) prefetch(entry, 3 * kCacheLineBytes);
    }
    prefetch(entry, stored & kShort);
  }

 private:
  std::uint64_t long_length(const Entry& entry) const {
    const std::uint64_t offset = offset_of(entry);
    if (long_records_ != nullptr) return long_records_->stored_bytes(offset);
    return stored_length(order_->layout(), bytes_.data() + offset, bytes_.data() + bytes_.size());
  }

  const RecordOrder* order_;
  std::span<const std::byte> bytes_;
  const LongRecords* long_records_;
};

}  // namespace sortie
