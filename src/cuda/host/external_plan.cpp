#include "cuda/host/external_plan.hpp"

#include <algorithm>

#include <sortie/cuda/device_merge.hpp>

#include "base/size.hpp"
#include "cuda/host/host_plan.hpp"
#include "cuda/stable_sort.hpp"

namespace sortie::cuda {
namespace {

/// Values that move by position have 4-byte ones.
constexpr std::uint64_t kMostLaneItems = std::uint64_t{1} << 32;
/// Runs of fewer items would be cut into slices too short for the link.
constexpr std::uint64_t kLeastChunkItems = 1 << 16;

}  // namespace

ChunkMemory::ChunkMemory(const ItemSizes& items, std::uint64_t count, void* area) : layout(area) {
  keys = layout.take<std::byte>(count * bytes_of(items.type));
  values = layout.take<std::byte>(count * items.value_bytes);
  sort = layout.take<std::byte>(stable_sort_scratch_bytes(items.type, items.value_bytes, count));
}

WindowMemory::WindowMemory(const ItemSizes& items, std::uint64_t count, std::uint32_t run_count, void* area)
    : layout(area) {
  const bool merges = merges_windows(items.type);
  const auto take_items = [&](std::size_t item_bytes) { return layout.take<std::byte>(count * item_bytes); };
  gathered_keys = take_items(bytes_of(items.type));
  gathered_values = take_items(items.value_bytes);
  keys = merges ? take_items(bytes_of(items.type)) : gathered_keys;
  values = merges ? take_items(items.value_bytes) : gathered_values;
  offsets = layout.take<std::uint64_t>(run_count + 1);
  work_bytes = merges ? merge_lists_scratch_bytes(items.type, items.value_bytes, count, run_count)
                      : stable_sort_scratch_bytes(items.type, items.value_bytes, count);
  work = layout.take<std::byte>(work_bytes);
}

ExternalPlan plan_external(const ItemSizes& items, std::uint64_t count, std::uint64_t lane_bytes) {
  ExternalPlan plan;
  const std::uint64_t limit = std::min(count, kMostLaneItems);
  const auto chunk_bytes = [&](std::uint64_t n) { return ChunkMemory(items, n).layout.size_bytes(); };
  const std::uint64_t chunk = most_items(lane_bytes, limit, chunk_bytes);
  if (chunk < std::min(count, kLeastChunkItems)) return plan;
  const auto run_count = static_cast<std::uint32_t>(divide_up(count, chunk));
  const auto window_bytes = [&](std::uint64_t n) { return WindowMemory(items, n, run_count).layout.size_bytes(); };
  const std::uint64_t window = most_items(lane_bytes, limit, window_bytes);
  if (window < std::min(count, kLeastChunkItems)) return plan;
  plan.chunk_items = divide_up(count, run_count);
  for (std::uint64_t begin = 0; begin < count; begin += plan.chunk_items) {
    plan.run_counts.push_back(std::min(plan.chunk_items, count - begin));
  }
  plan.window_ranks = ranks_of_pieces(count, divide_up(count, divide_up(count, window)));
  return plan;
}

}  // namespace sortie::cuda
