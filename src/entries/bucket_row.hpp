// Buckets of entries in order: the result of dealing a chunk, or a bucket that was too large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entries/bucket_deal.hpp"
#include "entries/splitters.hpp"

namespace sortie {

/// Entries that follow one another in the sorted run, in stretches, in input order.
struct Bucket {
  std::vector<std::span<Entry>> stretches;
  BucketSize size;
  std::uint64_t word_index = 0;  ///< index of the key's word that the entries hold
  bool equal_words = false;      ///< all entries hold the same word
  bool settled = false;          ///< the keys are equal: input order is the order
  unsigned level = 0;            ///< how many times it has been dealt
};

struct BucketRow {
  std::vector<DealtBatch> batches;  ///< in input order
  std::vector<BucketSize> sizes;    ///< size of every bucket
  std::uint64_t word_index = 0;
  unsigned level = 1;

  std::size_t bucket_count() const { return sizes.size(); }

  Bucket bucket(std::size_t index) const {
    Bucket bucket;
    bucket.size = sizes[index];
    bucket.word_index = word_index;
    bucket.equal_words = Splitters::is_equality_bucket(index);
    bucket.level = level;
    for (const DealtBatch& batch : batches) {
      const std::span<Entry> stretch = batch.bucket(index);
      if (!stretch.empty()) bucket.stretches.push_back(stretch);
    }
    return bucket;
  }
};

}  // namespace sortie
