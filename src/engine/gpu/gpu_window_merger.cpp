#include "engine/gpu/gpu_window_merger.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

#include "base/parallel_copy.hpp"
#include "device/device_info.hpp"
#include "engine/gpu/staging_plan.hpp"

namespace sortie::gpu {
namespace {

std::uint64_t total_bytes(const SortedRanges& ranges) {
  std::uint64_t bytes = 0;
  for (const auto& range : ranges) bytes += range.size();
  return bytes;
}

/// Sequence i of the merge is records [bounds[i], bounds[i + 1]).
std::vector<std::uint64_t> record_bounds(const Layout& layout, const SortedRanges& ranges) {
  std::vector<std::uint64_t> bounds = {0};
  for (const auto& range : ranges) bounds.push_back(bounds.back() + count_records(layout, range));
  return bounds;
}

}  // namespace

GpuWindowMerger::GpuWindowMerger(const Format& format, const EngineSetup& setup, Arena& arena, std::mutex& arena_in_use,
                                 const MergeBudget& budget)
    : order_(format),
      traits_(traits_of(format)),
      device_(setup.device),
      timeline_(*setup.timeline),
      arena_(arena),
      arena_in_use_(arena_in_use),
      sorter_(make_record_sorter(format, traits_, setup.algorithm)) {
  const StagingRequest staging{budget.host_bytes, arena.capacity_bytes(), kMaxPieceBytes, traits_.record_bytes};
  part_bytes_ = plan_part_bytes(staging);
  const PiecePlan pieces = plan_pieces(staging, kMaxPieceBytes);
  ring_.emplace(pieces.piece_bytes, pieces.piece_count, setup.threads);
  lane_.emplace(part_bytes_, setup.threads, timeline_);
}

GpuWindowMerger::~GpuWindowMerger() { stream_.settle(); }

void GpuWindowMerger::merge(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output) {
  const std::lock_guard lock(arena_in_use_);
  select_device(device_);
  merge_or_split(SortedRanges(ranges.begin(), ranges.end()), output);
}

void GpuWindowMerger::merge_or_split(const SortedRanges& all_ranges, std::span<std::byte> output) {
  SortedRanges ranges = all_ranges;
  std::erase_if(ranges, [](const auto& range) { return range.empty(); });
  assert(total_bytes(ranges) == output.size());
  if (ranges.empty()) return;
  if (ranges.size() == 1) {
    copy_in_parallel(output, ranges[0]);
    return;
  }
  const std::vector<std::uint64_t> bounds = record_bounds(order_.layout(), ranges);
  const DeviceSizes sizes =
      merge_sizes(output.size(), bounds.back(), static_cast<std::uint32_t>(ranges.size()), part_bytes_);
  const bool can_be_indexed = traits_.numbers() || bounds.back() <= kMaxIndexedRecords;
  if (can_be_indexed && device_bytes(traits_, sizes) <= arena_.capacity_bytes()) {
    merge_on_device(ranges, bounds, sizes, output);
    return;
  }
  const auto split = split_ranges(order_, ranges);
  if (!split) {
    merge_single_records(ranges, output);
    return;
  }
  const std::size_t low_bytes = static_cast<std::size_t>(total_bytes(split->low));
  merge_or_split(split->low, output.first(low_bytes));
  merge_or_split(split->high, output.subspan(low_bytes));
}

/// Ranges of one record each that are too much for the device are few and huge.
void GpuWindowMerger::merge_single_records(const SortedRanges& ranges, std::span<std::byte> output) const {
  SortedRanges records = ranges;
  std::stable_sort(records.begin(), records.end(), [&](Record a, Record b) { return order_.compare(a, b) < 0; });
  for (const Record record : records) {
    std::memcpy(output.data(), record.data(), record.size());
    output = output.subspan(record.size());
  }
}

void GpuWindowMerger::merge_on_device(const SortedRanges& ranges, std::span<const std::uint64_t> bounds,
                                      const DeviceSizes& sizes, std::span<std::byte> output) {
  arena_.clear();
  const DeviceSpace space = carve_space(arena_, traits_, sizes);
  const RunSlot& slot = space.slots[0];
  upload(ranges, slot.records);
  const SortedSlot merged = [&] {
    const TimedWork work(timeline_, kMergeTrack, output.size(), stream_);
    sorter_->prepare(space, slot, {0, bounds.back(), 0, output.size()}, stream_);
    return sorter_->merge(space, slot, bounds, output.size(), stream_);
  }();
  merged_.record(stream_);
  lane_->drain(*sorter_, space, merged, merged_, [&](std::span<std::byte> part) {
    copy_in_parallel(output, part);
    output = output.subspan(part.size());
  });
}

void GpuWindowMerger::upload(const SortedRanges& ranges, std::byte* target) {
  std::span<std::byte> piece = ring_->acquire();
  std::size_t filled = 0;
  const auto send = [&] {
    const TimedWork work(timeline_, kUploadTrack, filled, stream_);
    ring_->submit(target, filled, stream_);
    target += filled;
    filled = 0;
  };
  for (std::span<const std::byte> range : ranges) {
    while (!range.empty()) {
      if (filled == piece.size()) {
        send();
        piece = ring_->acquire();
      }
      const std::size_t bytes = std::min(range.size(), piece.size() - filled);
      copy_in_parallel(piece.subspan(filled), range.first(bytes));
      filled += bytes;
      range = range.subspan(bytes);
    }
  }
  if (filled > 0) send();
}

}  // namespace sortie::gpu
