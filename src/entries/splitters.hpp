// Cuts a key range into buckets by sampled splitters, as in super scalar sample sort (Sanders and
// Winkel, ESA 2004; Axtmann et al., ESA 2017). Keys equal to a splitter get buckets of their own, so
// that few-valued data cannot unbalance the buckets and needs no sorting at all.
//
//   bucket    0        1        2          3        ...   2m
//   keys    < s[0]   = s[0]   < s[1]     = s[1]          > s[m-1]
//
// A table over the leading bits in which the splitters differ says where to look: for most keys it gives the answer.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entries/entry.hpp"

namespace sortie {

class Splitters {
 public:
  static constexpr std::size_t kMaxSplitters = 255;

  /// Distance of the samples for `wanted` splitters, which are spread evenly over `count` items, or bytes of records:
  /// several for each splitter, or one if none is wanted. At least 1.
  static std::size_t sample_stride(std::uint64_t count, std::size_t wanted) {
    const std::size_t samples = std::max<std::size_t>(1, wanted * kSamplesPerSplitter);
    return static_cast<std::size_t>(std::max<std::uint64_t>(1, count / samples));
  }

  /// Takes evenly spaced values of a sample, at most `wanted` (up to kMaxSplitters) different ones.
  Splitters(std::vector<std::uint64_t> sample, std::size_t wanted);

  std::size_t bucket_count() const { return 2 * count_ + 1; }
  /// Whether all keys of the bucket are equal.
  static bool is_equality_bucket(std::size_t bucket) { return bucket % 2 == 1; }

  /// CellBuckets give loops an object that finds buckets: here it is the same one.
  const Splitters& finder() const { return *this; }

  /// O(log splitters), mostly a single look at the table.
  std::size_t bucket_of(std::uint64_t key) const {
    const std::uint64_t distance = key < least_ ? 0 : key - least_;
    const std::uint64_t cell = std::min<std::uint64_t>(distance >> cell_shift_, kCells - 1);
    std::size_t not_greater = first_of_cell_[cell];
    const std::size_t end = first_of_cell_[cell + 1];
    if (end - not_greater > kLongCell) {
      not_greater = first_greater(not_greater, end, key);
    } else {
      while (not_greater < end && keys_[not_greater] <= key) ++not_greater;
    }
    const bool equal = not_greater > 0 && keys_[not_greater - 1] == key;
    return 2 * not_greater - (equal ? 1 : 0);
  }

 private:
  static constexpr std::size_t kSamplesPerSplitter = 16;
  static constexpr std::size_t kCells = 1 << 13;
  static constexpr std::size_t kLongCell = 8;

  void fill_cells();

  // As std::upper_bound(), without a branch for the key: which way that goes cannot be foreseen.
  std::size_t first_greater(std::size_t begin, std::size_t end, std::uint64_t key) const {
    for (std::size_t count = end - begin; count > 0;) {
      const std::size_t half = (count + 1) / 2;
      begin += keys_[begin + half - 1] <= key ? half : 0;
      count -= half;
    }
    return begin;
  }

  std::size_t count_ = 0;
  std::array<std::uint64_t, kMaxSplitters> keys_;
  std::uint64_t least_ = 0;
  unsigned cell_shift_ = 0;
  std::array<std::uint8_t, kCells + 1> first_of_cell_;  ///< the first splitter that lies in the cell or behind it
};

/// counts[range][bucket] become the positions at which each range writes into each bucket: bucket by
/// bucket, and range by range within a bucket, which keeps the input order. Returns the begin of every
/// bucket, and the end of the last.
std::vector<std::size_t> turn_counts_into_positions(std::vector<std::vector<std::size_t>>& counts);

/// Samples of records. ChunkEntries learns from those of a chunk which words all its keys begin with, and cuts its
/// buckets by the word behind them. Merges learn from those of sorted ranges where to cut the ranges (split_window()).
/// The records that begin at `first` and at every `stride` bytes behind it, or next behind these positions. Takes a
/// long record only once. Preconditions: bytes are whole records, not quoted; `stride` is at least 1.
std::vector<Record> sample_records(const Layout& layout, std::span<const std::byte> bytes, std::size_t first,
                                   std::size_t stride);

struct KeySample {
  std::vector<std::uint64_t> in_common;  ///< words that all sampled keys begin with; none if they are all equal
  Splitters splitters;                   ///< splitters by the word behind those
};

/// `expected_records`: how many records the splitters will scatter, roughly; more of them give more splitters.
/// Precondition: there is a record.
KeySample sample_keys(const ChunkRecords& records, std::uint64_t expected_records);

/// Splitters by the first word alone.
Splitters sample_first_words(const ChunkRecords& records, std::uint64_t expected_records);

/// How many splitters `entry_count` entries are worth.
std::size_t wanted_splitters(std::uint64_t entry_count);

}  // namespace sortie
