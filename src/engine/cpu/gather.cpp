#include "engine/cpu/gather.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

namespace sortie {
namespace {

constexpr std::size_t kTaskRecords = 1 << 12;
// Records lie anywhere in the chunk: asking for them this far ahead hides the latency of memory.
constexpr std::size_t kPrefetchDistance = 16;

void prefetch(const ChunkRecords& records, const Entry& entry) {
  const std::byte* record = records.bytes().data() + (entry.location >> 24);
  __builtin_prefetch(record);
  __builtin_prefetch(record + 64);
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

void gather_part(const ChunkRecords& records, std::span<const Entry> entries, const GatherPlan& plan,
                 std::span<std::byte> part) {
  tbb::parallel_for(std::size_t{0}, plan.tasks.size(), [&](std::size_t t) {
    const std::size_t end = std::min(plan.tasks[t].first_record + kTaskRecords, plan.record_count);
    std::byte* target = part.data() + plan.tasks[t].offset;
    for (std::size_t i = plan.tasks[t].first_record; i < end; ++i) {
      if (i + kPrefetchDistance < end) prefetch(records, entries[i + kPrefetchDistance]);
      const Record record = records[entries[i]];
      std::memcpy(target, record.data(), record.size());
      target += record.size();
    }
  });
}

}  // namespace sortie
