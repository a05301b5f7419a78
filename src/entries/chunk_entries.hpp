// The entries of a chunk, made piece by piece while the records are still in the caches, and scattered to buckets
// by splitters that a sample of the input suggests, or the first piece. Whether the chunk is in order already, or in
// reverse order, is found on the way. Owned by RecordRunFormer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "entries/buckets.hpp"
#include "entries/entry.hpp"

namespace sortie {

class ChunkEntries {
 public:
  /// `sample`: records from all over the input, or none. It must outlive this.
  explicit ChunkEntries(const RecordOrder& order, std::span<const std::byte> sample = {})
      : order_(order), sample_(sample) {}

  /// Makes the entries of `piece`, the last records of `chunk`, in `target`, which has room for just these.
  /// `expected_records`: how many records the whole chunk will have, roughly. Throws Error if there is not room enough
  /// after all. Parallel.
  void add(std::span<const std::byte> chunk, std::span<const std::byte> piece, std::span<Entry> target,
           std::uint64_t expected_records);

  enum class Sequence : std::uint8_t {
    kNone,
    kAscending,   ///< in order, equal keys included
    kDescending,  ///< strictly in reverse order
  };
  struct Finished {
    Sequence sequence = Sequence::kNone;
    BucketRow buckets;  ///< none if the records are in order: the chunk is sorted then
    std::unique_ptr<const LongRecords> long_records;
  };
  /// The buckets of all records. The next piece begins another chunk. Precondition: there is a record.
  Finished finish(std::span<const std::byte> chunk);

 private:
  struct Batch {
    ScatteredBatch scattered;  // not scattered yet if it is ascending: perhaps the whole chunk is
    Entry first;               // first and last in input order
    Entry last;
    bool ascending = false;
    bool descending = false;
  };
  class BatchMaker;

  /// Where one thread makes the entries of a batch.
  class BatchMemory {
   public:
    /// Room for so many entries, whose values are not set. Forgets what was there.
    Entry* of(std::size_t entries) {
      if (entries > size_) entries_ = std::make_unique_for_overwrite<Entry[]>(size_ = entries);
      return entries_.get();
    }

   private:
    std::unique_ptr<Entry[]> entries_;
    std::size_t size_ = 0;
  };

  void begin(const ChunkRecords& sampled, std::uint64_t expected_records);
  Batch finish_batch(const ChunkRecords& records, std::span<Entry> made, std::span<Entry> target,
                     std::span<BucketSize> sizes);
  bool shares_first_words(const ChunkRecords& records, std::span<const Entry> made) const;
  Sequence sequence_of(const ChunkRecords& records) const;
  BucketRow scatter_what_is_left(const ChunkRecords& records);
  void scatter_all_by_first_word(const ChunkRecords& records);
  void scatter_those_in_order(const ChunkRecords& records);
  template <class Selected, class Prepare>
  void scatter_again(const ChunkRecords& records, const Selected& is_selected, const Prepare& prepare);

  const RecordOrder& order_;
  std::span<const std::byte> sample_;
  std::optional<BucketScatter> scatter_;       // none before the first piece
  std::uint64_t first_word_ = 0;               // index of the key's word that the entries hold
  std::vector<std::uint64_t> in_common_;       // the words before it, which the sampled keys share
  std::atomic<bool> words_differ_{false};      // some record does not begin with in_common_
  std::unique_ptr<LongRecords> long_records_;  // of this chunk
  std::mutex mutex_;
  std::vector<Batch> batches_;
  std::vector<BucketSize> sizes_;
  OnePerThread<BatchMemory> made_;
};

}  // namespace sortie
