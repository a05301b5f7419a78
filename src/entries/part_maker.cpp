#include "entries/part_maker.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "base/parallel.hpp"
#include "entries/refine_ties.hpp"

namespace sortie {
namespace {

constexpr std::size_t kTaskRecords = 1 << 12;

// A bucket of so many entries is sorted in a core's cache.
constexpr std::size_t kMostBucketEntries = 1 << 16;

// Buckets of more records are gathered by several threads.
constexpr std::size_t kSharedEntries = 1 << 14;

// A smaller chunk is sorted by one thread before another one is started.
constexpr std::size_t kLeastSharedBytes = 256 << 10;

// Lines with equal keys are the same bytes: doubles the copied bytes until the target is full.
void repeat(Record record, std::span<std::byte> target) {
  const std::size_t record_bytes = std::min(record.size(), target.size());
  std::memcpy(target.data(), record.data(), record_bytes);
  for (std::size_t filled = record_bytes; filled < target.size();) {
    const std::size_t bytes = std::min(filled, target.size() - filled);
    std::memcpy(target.data() + filled, target.data(), bytes);
    filled += bytes;
  }
}

}  // namespace

GatherPlan plan_part(const ChunkRecords& records, std::span<const Entry> entries, std::uint64_t part_bytes) {
  GatherPlan plan;
  while (plan.record_count < entries.size()) {
    const std::size_t bytes = records[entries[plan.record_count]].size();
    if (plan.record_count > 0 && plan.part_bytes + bytes > part_bytes) break;
    if (plan.record_count % kTaskRecords == 0) plan.tasks.push_back({plan.record_count, plan.part_bytes});
    ++plan.record_count;
    plan.part_bytes += bytes;
  }
  return plan;
}

void gather(const ChunkRecords& records, std::span<const Entry> entries, std::span<std::byte> target) {
  const std::byte* const source_end = records.bytes().data() + records.bytes().size();
  const std::byte* const target_end = target.data() + target.size();
  std::byte* at = target.data();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + kPrefetchDistance < entries.size()) records.prefetch(entries[i + kPrefetchDistance]);
    const Record record = records[entries[i]];
    copy_record(record, source_end, at, target_end);
    at += std::min(record.size(), static_cast<std::size_t>(target_end - at));
  }
}

void gather_part(const ChunkRecords& records, std::span<const Entry> entries, const GatherPlan& plan,
                 std::span<std::byte> part) {
  parallel_for(0, plan.tasks.size(), [&](std::size_t t) {
    const bool last = t + 1 == plan.tasks.size();
    const std::size_t begin = plan.tasks[t].offset;
    const std::size_t end = last ? plan.part_bytes : plan.tasks[t + 1].offset;
    const std::size_t first = plan.tasks[t].first_record;
    const std::size_t count = std::min(kTaskRecords, plan.record_count - first);
    gather(records, entries.subspan(first, count), part.subspan(begin, end - begin));
  });
}

PartMaker::PartMaker(const RecordOrder& order, std::span<std::byte> chunk, ChunkEntries::Finished entries,
                     std::span<Entry> scratch)
    : chunk_(chunk),
      long_records_(std::move(entries.long_records)),
      records_(order, chunk, long_records_.get()),
      queue_(records_, std::move(entries.buckets)),
      descending_(entries.sequence == ChunkEntries::Sequence::kDescending),
      scratch_(scratch) {}

std::span<std::byte> PartMaker::next(std::span<std::byte> memory, Look look) {
  if (!sorted_.empty()) return continue_sorted(memory);
  if (!coming_) coming_ = take_items(memory.size());
  std::vector<Item> items = *std::exchange(coming_, std::nullopt);
  if (items.empty()) return {};
  const BucketSize& first = items[0].bucket.size;
  if (first.bytes > memory.size() || first.entries > scratch_.size()) {
    items[0].bucket.list_stretches();
    own_scratch_.resize(first.entries > scratch_.size() ? first.entries : 0);
    sorted_ = sort(items[0].bucket, own_scratch_.empty() ? scratch_ : std::span(own_scratch_));
    return continue_sorted(memory);
  }
  const std::size_t part_bytes = items.back().first_byte + items.back().bucket.size.bytes;
  // The largest first, so that all threads end at about the same time (Graham, Bounds on multiprocessing timing
  // anomalies, 1969).
  std::ranges::sort(items, std::greater<>(), [](const Item& item) { return item.bucket.size.bytes; });
  const auto make = [&](std::size_t i) {
    make_item(items[i], memory);
    look(memory.subspan(items[i].first_byte, items[i].bucket.size.bytes), items[i].first_byte);
  };
  const auto take_next = [&] { coming_ = take_items(memory.size()); };
  if (records_.bytes().size() < kLeastSharedBytes) {
    for (std::size_t i = 0; i < items.size(); ++i) make(i);
    take_next();
  } else {
    run_with_background([&] { parallel_for(0, items.size(), make); }, take_next);
  }
  return memory.first(part_bytes);
}

// Takes buckets that together fit the part and the scratch memory, and at least one.
std::vector<PartMaker::Item> PartMaker::take_items(std::size_t part_bytes) {
  std::vector<Item> items;
  BucketSize taken;
  while (true) {
    if (!waiting_) waiting_ = queue_.next(std::min(scratch_.size(), kMostBucketEntries), 2 * scratch_.size());
    if (!waiting_) return items;
    const BucketSize size = waiting_->size;
    const bool fits = taken.entries + size.entries <= scratch_.size() && taken.bytes + size.bytes <= part_bytes;
    if (!fits && !items.empty()) return items;
    items.push_back({std::move(*waiting_), taken.entries, taken.bytes});
    waiting_.reset();
    taken.entries += size.entries;
    taken.bytes += size.bytes;
    if (!fits) return items;
  }
}

// Copies the entries of the bucket to the front of `entries`, in the order of the records.
std::span<Entry> PartMaker::sort(const Bucket& bucket, std::span<Entry> entries) const {
  entries = entries.first(bucket.size.entries);
  copy_stretches(bucket.stretches, entries.data());
  if (descending_) {
    std::ranges::reverse(entries);
  } else if (bucket.equal_words && !bucket.settled) {
    refine_group(records_, entries, bucket.word_index);
  } else if (!bucket.settled) {
    sort_and_refine(records_, entries, bucket.word_index);
  }
  return entries;
}

void PartMaker::make_item(Item& item, std::span<std::byte> target) {
  item.bucket.list_stretches();
  const std::span<std::byte> part = target.subspan(item.first_byte, item.bucket.size.bytes);
  if (item.bucket.settled && records_.order().plan().whole_line) {
    repeat(records_[item.bucket.stretches[0][0]], part);
    return;
  }
  const std::span<Entry> entries = sort(item.bucket, scratch_.subspan(item.first_entry, item.bucket.size.entries));
  if (entries.size() <= kSharedEntries) {
    gather(records_, entries, part);
  } else {
    gather_part(records_, entries, plan_part(records_, entries, part.size()), part);
  }
}

std::span<std::byte> PartMaker::continue_sorted(std::span<std::byte> memory) {
  const GatherPlan plan = plan_part(records_, sorted_, memory.size());
  const std::span<Entry> entries = sorted_.first(plan.record_count);
  sorted_ = sorted_.subspan(plan.record_count);
  if (plan.part_bytes > memory.size()) {
    const Record record = records_[entries[0]];
    return chunk_.subspan(static_cast<std::size_t>(record.data() - chunk_.data()), record.size());
  }
  const std::span<std::byte> part = memory.first(plan.part_bytes);
  gather_part(records_, entries, plan, part);
  return part;
}

}  // namespace sortie
