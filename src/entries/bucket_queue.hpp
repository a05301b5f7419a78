// The buckets of a chunk in order, none larger than asked for: a bucket that is too large is dealt again when its turn
// comes, by finer splitters or by the next words of the keys. So sorting goes along with the output instead of before
// it, and needs no second array of entries. Used by PartMaker.
#pragma once

#include <optional>
#include <vector>

#include "entries/buckets.hpp"
#include "entries/entry.hpp"

namespace sortie {

class BucketQueue {
 public:
  BucketQueue(const ChunkRecords& records, BucketRow buckets);

  /// The next bucket, of at least one and at most `max_entries` entries (more only if keys differ by one word at a
  /// time, very many times); nothing at the end. Parallel.
  std::optional<Bucket> next(std::size_t max_entries);

 private:
  struct Level {
    BucketRow row;
    std::size_t next = 0;
  };

  std::optional<Bucket> take();
  void deal_again(Bucket bucket);
  void assign_next_words(Bucket& bucket) const;
  Bucket cut_settled(Bucket bucket, std::size_t max_entries);

  ChunkRecords records_;
  std::vector<Level> levels_;      ///< each made of a bucket of the one below
  std::optional<Bucket> settled_;  ///< the rest of a settled bucket that was cut
};

}  // namespace sortie
