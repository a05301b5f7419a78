// Buckets that are dealt again, with entries chosen by someone who knows which of them are sampled.
#include "entries/buckets.hpp"

#include <gtest/gtest.h>

#include "support/record_data.hpp"

namespace sortie {
namespace {

constexpr std::size_t kBatches = 8;
constexpr std::size_t kEntries = kBatches * kBatchEntries;
constexpr std::size_t kSampledStride = kEntries / 256;

// A row of one bucket. The entries in an evenly spaced sample have the smallest words.
BucketRow one_bucket(std::vector<Entry>& entries, unsigned level) {
  for (std::size_t i = 0; i < kEntries; ++i) {
    entries.push_back({make_location(8 * i, 8), i % kSampledStride == 0 ? i : kEntries + i});
  }
  BucketRow row;
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    row.batches.push_back({std::span(entries).subspan(batch * kBatchEntries, kBatchEntries), {0, kBatchEntries}});
  }
  row.sizes = {{kEntries, 8 * kEntries}};
  row.level = level;
  return row;
}

TEST(BucketQueue, GetsSomewhereWhateverEntriesAreSampled) {
  constexpr unsigned kLevel = 4;
  const RecordOrder order(test::parsed("u64"));
  std::vector<Entry> entries;
  BucketQueue queue(ChunkRecords(order, {}), one_bucket(entries, kLevel));
  std::size_t count = 0;
  while (const auto bucket = queue.next(kEntries / 4)) {
    EXPECT_LE(bucket->level, kLevel + 1) << "one deal must do";
    count += bucket->size.entries;
  }
  EXPECT_EQ(count, kEntries);
}

}  // namespace
}  // namespace sortie
