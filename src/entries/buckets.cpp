#include "entries/buckets.hpp"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <utility>

#include "base/parallel.hpp"
#include "entries/refine_ties.hpp"
#include "entries/splitters.hpp"
#include "entries/vector_sort.hpp"

namespace sortie {
namespace {

// Least number of splitters, however few entries there are: a scatter must make progress.
constexpr std::size_t kLeastSplitters = 15;
// From this level on a bucket is passed on as it is.
constexpr unsigned kMaxBucketLevels = 64;
// From this level on sampling is regular: a few samples have told too little, too often.
constexpr unsigned kRegularLevel = 4;
// One in this many words of a sorted batch is a sample.
constexpr std::size_t kRegularStride = 64;

// Takes some words from all over the bucket. Whoever made the input may have put equal words there.
std::vector<std::uint64_t> sample_some(const Bucket& bucket, std::size_t wanted) {
  const std::size_t stride = Splitters::sample_stride(bucket.size.entries, wanted);
  std::vector<std::uint64_t> words;
  std::size_t at = 0;
  for (const std::span<Entry> stretch : bucket.stretches) {
    for (; at < stretch.size(); at += stride) words.push_back(stretch[at].word);
    at -= stretch.size();
  }
  return words;
}

// Takes words at equal distances from every sorted batch (Shi and Schaeffer, Parallel sorting by regular sampling,
// 1992): then only a small share of all entries lies between two splitters, in whatever order these come.
std::vector<std::uint64_t> sample_regularly(const Bucket& bucket) {
  std::vector<std::uint64_t> sample;
  std::vector<std::uint64_t> batch;
  const auto take_batch = [&] {
    vector_sort(std::span(batch));
    for (std::size_t i = 0; i < batch.size(); i += kRegularStride) sample.push_back(batch[i]);
    batch.clear();
  };
  for (const std::span<Entry> stretch : bucket.stretches) {
    for (const Entry& entry : stretch) {
      batch.push_back(entry.word);
      if (batch.size() == kBatchEntries) take_batch();
    }
  }
  take_batch();
  return sample;
}

// Cuts the bucket between its stretches into groups of a batch at most. Precondition: no stretch is longer than that.
std::vector<std::span<const std::span<Entry>>> group_stretches(const Bucket& bucket) {
  const std::span<const std::span<Entry>> stretches = bucket.stretches;
  std::vector<std::span<const std::span<Entry>>> groups;
  std::size_t begin = 0;
  std::size_t entries = 0;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (entries > 0 && entries + stretches[i].size() > kBatchEntries) {
      groups.push_back(stretches.subspan(begin, i - begin));
      begin = i;
      entries = 0;
    }
    entries += stretches[i].size();
  }
  groups.push_back(stretches.subspan(begin));
  return groups;
}

// Calls scatter_group(group, sizes), which adds to the sizes of the buckets, for each group. Parallel.
template <class ScatterGroup>
void scatter_groups(std::size_t group_count, BucketRow& row, const ScatterGroup& scatter_group) {
  std::mutex mutex;
  parallel_for(0, group_count, [&](std::size_t group) {
    std::vector<BucketSize> sizes(row.bucket_count());
    scatter_group(group, std::span(sizes));
    const std::scoped_lock lock(mutex);
    add_sizes(row.sizes, sizes);
  });
}

Bucket bucket_of(const std::shared_ptr<const BucketRow>& row, std::size_t index) {
  Bucket bucket;
  bucket.row = row;
  bucket.index = index;
  bucket.memory = row->memory;
  bucket.size = row->sizes[index];
  bucket.word_index = row->word_index;
  bucket.equal_words = Splitters::is_equality_bucket(index);
  bucket.level = row->level;
  return bucket;
}

Splitters sample_entries(const Bucket& bucket) {
  const std::size_t wanted = std::max(kLeastSplitters, wanted_splitters(bucket.size.entries));
  return {bucket.level < kRegularLevel ? sample_some(bucket, wanted) : sample_regularly(bucket), wanted};
}

}  // namespace

ScatteredBatch BucketScatter::scatter(const ChunkRecords& records, std::span<const Entry> source,
                                      std::span<Entry> target, std::span<BucketSize> sizes) {
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

  ScatteredBatch scattered{target, std::vector<std::uint16_t>(bucket_count() + 1)};
  scratch.positions.resize(bucket_count());
  std::uint32_t next = 0;
  for (std::size_t bucket = 0; bucket < bucket_count(); ++bucket) {
    scattered.begins[bucket] = static_cast<std::uint16_t>(next);
    scratch.positions[bucket] = next;
    next += static_cast<std::uint32_t>(scratch.sizes[bucket].entries);
    sizes[bucket].entries += scratch.sizes[bucket].entries;
    sizes[bucket].bytes += scratch.sizes[bucket].bytes;
  }
  scattered.begins.back() = static_cast<std::uint16_t>(next);
  for (std::size_t i = 0; i < source.size(); ++i) target[scratch.positions[scratch.buckets[i]]++] = source[i];
  return scattered;
}

BucketQueue::BucketQueue(const ChunkRecords& records, BucketRow buckets) : records_(records) {
  levels_.push_back({std::make_shared<BucketRow>(std::move(buckets)), 0});
}

std::optional<Bucket> BucketQueue::next(std::size_t max_entries, std::size_t spare_entries) {
  while (auto bucket = take()) {
    if (bucket->size.entries <= max_entries || bucket->level >= kMaxBucketLevels) return bucket;
    bucket->list_stretches();
    if (bucket->equal_words) assign_next_words(*bucket);
    if (bucket->settled) return cut_settled(std::move(*bucket), max_entries);
    scatter_again(*bucket, bucket->size.entries > spare_entries);
  }
  return std::nullopt;
}

std::optional<Bucket> BucketQueue::take() {
  if (settled_) return std::exchange(settled_, std::nullopt);
  while (!levels_.empty()) {
    Level& level = levels_.back();
    const BucketRow& row = *level.row;
    while (level.next < row.bucket_count() && row.sizes[level.next].entries == 0) ++level.next;
    if (level.next < row.bucket_count()) return bucket_of(level.row, level.next++);
    levels_.pop_back();
  }
  return std::nullopt;
}

// Gives a bucket whose words are all equal the next words of its keys. It is settled if its keys are equal, too.
void BucketQueue::assign_next_words(Bucket& bucket) const {
  if (bucket.settled) return;
  const NextWord next = find_next_word(records_, bucket.stretches, bucket.word_index);
  if (next.none) {
    bucket.settled = true;
    return;
  }
  parallel_for(0, bucket.stretches.size(),
               [&](std::size_t i) { assign_words(records_, bucket.stretches[i], next.index); });
  bucket.word_index = next.index;
  bucket.equal_words = false;
}

void BucketQueue::scatter_again(const Bucket& bucket, bool in_place) {
  BucketScatter scatter(sample_entries(bucket));
  BucketRow row;
  row.sizes.resize(scatter.bucket_count());
  row.word_index = bucket.word_index;
  row.level = bucket.level + 1;
  if (in_place) {
    scatter_in_place(scatter, bucket, row);
  } else {
    scatter_to_own_memory(scatter, bucket, row);
  }
  levels_.push_back({std::make_shared<BucketRow>(std::move(row)), 0});
}

// Each stretch is a batch, however short it is.
void BucketQueue::scatter_in_place(BucketScatter& scatter, const Bucket& bucket, BucketRow& row) const {
  row.batches.resize(bucket.stretches.size());
  row.memory = bucket.memory;
  const auto groups = group_stretches(bucket);
  scatter_groups(groups.size(), row, [&](std::size_t group, std::span<BucketSize> sizes) {
    auto batch = row.batches.begin() + (groups[group].data() - bucket.stretches.data());
    std::vector<Entry> source;
    for (const std::span<Entry> stretch : groups[group]) {
      source.assign(stretch.begin(), stretch.end());
      *batch++ = scatter.scatter(records_, source, stretch, sizes);
    }
  });
}

// Each group of stretches is a batch.
void BucketQueue::scatter_to_own_memory(BucketScatter& scatter, const Bucket& bucket, BucketRow& row) {
  const auto groups = group_stretches(bucket);
  row.memory = memory_.take(bucket.size.entries);
  row.batches.resize(groups.size());
  Entry* end = row.memory.get();
  for (std::size_t group = 0; group < groups.size(); ++group) {
    Entry* const begin = end;
    for (const std::span<Entry> stretch : groups[group]) end += stretch.size();
    row.batches[group].entries = {begin, end};
  }
  scatter_groups(groups.size(), row, [&](std::size_t group, std::span<BucketSize> sizes) {
    const std::span<Entry> target = row.batches[group].entries;
    const auto source = std::make_unique_for_overwrite<Entry[]>(target.size());
    copy_stretches(groups[group], source.get());
    row.batches[group] = scatter.scatter(records_, std::span(source.get(), target.size()), target, sizes);
  });
}

// Cuts off the first `max_entries` of a bucket in which input order is the order. The rest comes next.
Bucket BucketQueue::cut_settled(Bucket bucket, std::size_t max_entries) {
  Bucket first = bucket;
  first.stretches.clear();
  first.size = {};
  std::size_t used = 0;
  while (first.size.entries < max_entries && used < bucket.stretches.size()) {
    std::span<Entry>& stretch = bucket.stretches[used];
    const std::size_t count = std::min<std::size_t>(stretch.size(), max_entries - first.size.entries);
    first.stretches.push_back(stretch.first(count));
    first.size.entries += count;
    for (const Entry& entry : stretch.first(count)) first.size.bytes += records_[entry].size();
    stretch = stretch.subspan(count);
    used += stretch.empty() ? 1 : 0;
  }
  bucket.stretches.erase(bucket.stretches.begin(), bucket.stretches.begin() + static_cast<std::ptrdiff_t>(used));
  bucket.size.entries -= first.size.entries;
  bucket.size.bytes -= first.size.bytes;
  if (bucket.size.entries > 0) settled_ = std::move(bucket);
  return first;
}

}  // namespace sortie
