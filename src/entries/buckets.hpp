// The buckets of a sample sort, and how entries are scattered to them, a batch at a time: a batch fits a core's
// cache, so a chunk needs no second array of entries, and a short table says where its buckets begin. Used when a
// chunk's records come in (ChunkEntries), and when one of its buckets turns out to be too large (BucketQueue).
//
//   batch     | entries of bucket 0 | of bucket 1 | ... |        each in input order
//   begins     0                     n0            n0+n1  ...
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "entries/entry.hpp"
#include "entries/entry_memory.hpp"
#include "entries/splitters.hpp"

namespace sortie {

/// Entries of a batch: 256 KiB, a part of the second-level cache.
inline constexpr std::size_t kBatchEntries = 1 << 14;

struct BucketSize {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;  ///< bytes of their records
};

/// Adds up bucket by bucket.
inline void add_sizes(std::span<BucketSize> sums, std::span<const BucketSize> terms) {
  for (std::size_t bucket = 0; bucket < sums.size(); ++bucket) {
    sums[bucket].entries += terms[bucket].entries;
    sums[bucket].bytes += terms[bucket].bytes;
  }
}

/// Entries of one batch, in the order of the buckets.
struct ScatteredBatch {
  std::span<Entry> entries;
  std::vector<std::uint16_t> begins;  ///< begin of every bucket, and the end of the last

  std::span<Entry> bucket(std::size_t index) const {
    return entries.subspan(begins[index], static_cast<std::size_t>(begins[index + 1] - begins[index]));
  }
};

struct BucketRow;

/// Entries that follow one another in the sorted run, in stretches, in input order. A large chunk has some thousand
/// stretches in each of some ten thousand buckets: they are listed by the thread that needs them.
struct Bucket {
  std::vector<std::span<Entry>> stretches;  ///< none before list_stretches(), unless `row` is null
  std::shared_ptr<const BucketRow> row;     ///< what knows the stretches; null once they are listed
  std::size_t index = 0;                    ///< in the row
  std::shared_ptr<Entry[]> memory;          ///< that the stretches lie in; null if it belongs to others
  BucketSize size;
  std::uint64_t word_index = 0;  ///< index of the key's word that the entries hold
  bool equal_words = false;      ///< all entries hold the same word
  bool settled = false;          ///< the keys are equal: input order is the order
  unsigned level = 0;            ///< how many times it has been scattered

  void list_stretches();
};

/// Buckets in order: the result of scattering a chunk, or a bucket that was too large.
struct BucketRow {
  std::vector<ScatteredBatch> batches;  ///< in input order
  std::shared_ptr<Entry[]> memory;      ///< as Bucket::memory
  std::vector<BucketSize> sizes;        ///< size of every bucket
  std::uint64_t word_index = 0;
  unsigned level = 1;

  std::size_t bucket_count() const { return sizes.size(); }

  /// Those of a bucket that are not empty.
  std::vector<std::span<Entry>> stretches(std::size_t index) const {
    constexpr std::size_t kBatchesAhead = 16;
    std::vector<std::span<Entry>> stretches;
    for (std::size_t i = 0; i < batches.size(); ++i) {
      if (i + kBatchesAhead < batches.size()) __builtin_prefetch(&batches[i + kBatchesAhead].begins[index]);
      const std::span<Entry> stretch = batches[i].bucket(index);
      if (!stretch.empty()) stretches.push_back(stretch);
    }
    return stretches;
  }
};

inline void Bucket::list_stretches() {
  if (row) stretches = row->stretches(index);
  row.reset();
}

/// Copies the entries of stretches one after another to `target`, and returns the end of the copies. Short stretches
/// lie far from each other.
inline Entry* copy_stretches(std::span<const std::span<Entry>> stretches, Entry* target) {
  constexpr std::size_t kStretchesAhead = 8;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (i + kStretchesAhead < stretches.size()) __builtin_prefetch(stretches[i + kStretchesAhead].data());
    target = std::copy(stretches[i].begin(), stretches[i].end(), target);
  }
  return target;
}

class BucketScatter {
 public:
  explicit BucketScatter(const Splitters& splitters) : splitters_(splitters) {}

  std::size_t bucket_count() const { return splitters_.bucket_count(); }

  /// Copies `source`, at most a batch, bucket by bucket to `target`, which is as long. Stable. Adds to `sizes`, which
  /// has one element for each bucket. Thread-safe for different targets and sizes.
  ScatteredBatch scatter(const ChunkRecords& records, std::span<const Entry> source, std::span<Entry> target,
                         std::span<BucketSize> sizes);

 private:
  struct Scratch {
    // Not initialised: a small batch touches little of it.
    std::unique_ptr<std::uint16_t[]> buckets = std::make_unique_for_overwrite<std::uint16_t[]>(kBatchEntries);
    std::vector<BucketSize> sizes;
    std::vector<std::uint32_t> positions;
  };

  Splitters splitters_;
  OnePerThread<Scratch> scratch_;
};

/// The buckets of a chunk in order, none larger than asked for: a bucket that is too large is scattered again when its
/// turn comes, by finer splitters or by the next words of the keys. So sorting goes along with the output instead of
/// before it, and needs memory for the entries of a bucket, not of the chunk. Used by PartMaker.
class BucketQueue {
 public:
  BucketQueue(const ChunkRecords& records, BucketRow buckets);

  /// The next bucket, of at least one and at most `max_entries` entries (more only if keys differ by one word at a
  /// time, very many times); nothing at the end. A larger bucket of at most `spare_entries` is scattered again to
  /// memory of its own, which lives as long as its buckets; one that is larger still, in place, which takes longer.
  /// Parallel.
  std::optional<Bucket> next(std::size_t max_entries, std::size_t spare_entries);

 private:
  struct Level {
    std::shared_ptr<const BucketRow> row;
    std::size_t next = 0;
  };

  std::optional<Bucket> take();
  void scatter_again(const Bucket& bucket, bool in_place);
  void scatter_in_place(BucketScatter& scatter, const Bucket& bucket, BucketRow& row) const;
  void scatter_to_own_memory(BucketScatter& scatter, const Bucket& bucket, BucketRow& row);
  void assign_next_words(Bucket& bucket) const;
  Bucket cut_settled(Bucket bucket, std::size_t max_entries);

  ChunkRecords records_;
  EntryMemory memory_;
  std::vector<Level> levels_;      ///< each made of a bucket of the one below
  std::optional<Bucket> settled_;  ///< the rest of a settled bucket that was cut
};

}  // namespace sortie
