// Buckets that are scattered again, with entries chosen by someone who knows which of them are sampled.
#include "entries/buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

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
  while (const auto bucket = queue.next(kEntries / 4, 0)) {
    EXPECT_LE(bucket->level, kLevel + 1) << "one deal must do";
    count += bucket->size.entries;
  }
  EXPECT_EQ(count, kEntries);
}

// Scatters twice or more, the second time from short stretches.
TEST(BucketQueue, DealsInPlaceAndInMemoryOfItsOwn) {
  const RecordOrder order(test::parsed("u64"));
  for (const std::size_t spare : {std::size_t{0}, kEntries / 64, kEntries}) {
    std::mt19937_64 random(7);
    std::vector<Entry> entries;
    BucketRow row = one_bucket(entries, 1);
    for (Entry& entry : entries) entry.word = random() % (kEntries / 2);
    std::vector<Entry> expected = entries;
    std::ranges::stable_sort(expected, {}, &Entry::word);
    BucketQueue queue(ChunkRecords(order, {}), std::move(row));
    std::vector<Entry> all;
    while (auto bucket = queue.next(300, spare)) {
      bucket->list_stretches();
      ASSERT_LE(bucket->size.entries, 300u);
      EXPECT_EQ(bucket->size.bytes, 8 * bucket->size.entries);
      const std::size_t begin = all.size();
      all.resize(begin + bucket->size.entries);
      ASSERT_EQ(copy_stretches(bucket->stretches, &all[begin]), all.data() + all.size());
      std::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end(),
                       [](const Entry& a, const Entry& b) { return a.word < b.word; });
    }
    ASSERT_EQ(all.size(), expected.size()) << spare;
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i].location, expected[i].location) << spare << ", " << i;
  }
}

}  // namespace
}  // namespace sortie
