#include "entries/buckets.hpp"

#include <algorithm>
#include <cassert>

namespace sortie {

DealtBatch BucketDeal::deal(const ChunkRecords& records, std::span<const Entry> source, std::span<Entry> target,
                            std::span<BucketSize> sizes) {
  assert(source.size() <= kBatchEntries && target.size() == source.size() && sizes.size() == bucket_count());
  Scratch& scratch = scratch_.local();
  scratch.sizes.assign(bucket_count(), {});
  std::uint64_t longest = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t bucket = splitters_.bucket_of(source[i].word);
    const std::uint64_t stored = source[i].location & kLongRecord;
    scratch.buckets[i] = static_cast<std::uint16_t>(bucket);
    ++scratch.sizes[bucket].entries;
    scratch.sizes[bucket].bytes += stored;
    longest = std::max(longest, stored);
  }
  if (longest == kLongRecord) {
    for (std::size_t i = 0; i < source.size(); ++i) {
      if ((source[i].location & kLongRecord) != kLongRecord) continue;
      scratch.sizes[scratch.buckets[i]].bytes += records[source[i]].size() - kLongRecord;
    }
  }

  DealtBatch dealt{target, std::vector<std::uint16_t>(bucket_count() + 1)};
  scratch.positions.resize(bucket_count());
  std::uint32_t next = 0;
  for (std::size_t bucket = 0; bucket < bucket_count(); ++bucket) {
    dealt.begins[bucket] = static_cast<std::uint16_t>(next);
    scratch.positions[bucket] = next;
    next += static_cast<std::uint32_t>(scratch.sizes[bucket].entries);
    sizes[bucket].entries += scratch.sizes[bucket].entries;
    sizes[bucket].bytes += scratch.sizes[bucket].bytes;
  }
  dealt.begins.back() = static_cast<std::uint16_t>(next);
  for (std::size_t i = 0; i < source.size(); ++i) target[scratch.positions[scratch.buckets[i]]++] = source[i];
  return dealt;
}

}  // namespace sortie
