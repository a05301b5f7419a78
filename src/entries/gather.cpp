#include "entries/gather.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace sortie {
namespace {

constexpr std::size_t kTaskRecords = 1 << 12;

// Prefetches the first cache lines of the record, and the last one if it is short.
void prefetch(const ChunkRecords& records, const Entry& entry) {
  constexpr std::uint64_t kShort = 255;
  records.prefetch(entry, 0);
  records.prefetch(entry, 64);
  records.prefetch(entry, entry.location & kShort);
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
    if (i + kPrefetchDistance < entries.size()) prefetch(records, entries[i + kPrefetchDistance]);
    const Record record = records[entries[i]];
    copy_record(record, source_end, at, target_end);
    at += record.size();
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

}  // namespace sortie
