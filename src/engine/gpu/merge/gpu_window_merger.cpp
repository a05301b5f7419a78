#include "engine/gpu/merge/gpu_window_merger.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/size.hpp"
#include "device/copy.hpp"
#include "device/device_info.hpp"
#include "engine/gpu/staging/drain_lane.hpp"
#include "engine/gpu/staging/staging_plan.hpp"
#include "kernels/records.hpp"
#include "record/record_order.hpp"
#include "record/record_scan.hpp"

namespace sortie::gpu {
namespace {

using Bytes = std::span<const std::byte>;

/// Begin of the record that `position` lies in. Precondition: position < bytes.size().
std::size_t record_start(const Layout& layout, Bytes bytes, std::size_t position) {
  if (!layout.delimited()) return static_cast<std::size_t>(round_down(position, layout.record_bytes));
  const void* delimiter = ::memrchr(bytes.data(), layout.delimiter, position);
  if (delimiter == nullptr) return 0;
  return static_cast<std::size_t>(static_cast<const std::byte*>(delimiter) - bytes.data()) + 1;
}

Record record_at(const Layout& layout, Bytes bytes, std::size_t start) {
  return bytes.subspan(
      start, static_cast<std::size_t>(stored_length(layout, bytes.data() + start, bytes.data() + bytes.size())));
}

/// Start of the middle record, or of the one behind it if that is the first; 0 if there is only one.
std::size_t middle_record(const Layout& layout, Bytes bytes) {
  if (bytes.empty()) return 0;
  const std::size_t start = record_start(layout, bytes, bytes.size() / 2);
  if (start > 0) return start;
  const std::size_t second = record_at(layout, bytes, 0).size();
  return second < bytes.size() ? second : 0;
}

/// Most bytes that are checked and written at once: threads wait for each other at the end of a part.
constexpr std::uint64_t kLargestPartBytes = 64 << 20;

std::uint64_t total_bytes(const SortedRanges& ranges) {
  std::uint64_t bytes = 0;
  for (const auto& range : ranges) bytes += range.size();
  return bytes;
}

/// Range i is bytes [bounds[i], bounds[i + 1]) of all of them, one behind the other.
std::vector<std::uint64_t> byte_bounds(const SortedRanges& ranges) {
  std::vector<std::uint64_t> bounds = {0};
  for (const auto& range : ranges) bounds.push_back(bounds.back() + range.size());
  return bounds;
}

}  // namespace

std::optional<RangeSplit> split_ranges(const RecordOrder& order, std::span<const Bytes> ranges) {
  std::size_t pivot_range = ranges.size();
  std::size_t pivot_start = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (pivot_range < ranges.size() && ranges[i].size() <= ranges[pivot_range].size()) continue;
    if (const std::size_t middle = middle_record(order.layout(), ranges[i]); middle > 0) {
      pivot_range = i;
      pivot_start = middle;
    }
  }
  if (pivot_range == ranges.size()) return std::nullopt;
  const Record pivot = record_at(order.layout(), ranges[pivot_range], pivot_start);
  RangeSplit split;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::size_t cut = i == pivot_range ? pivot_start : cut_for_merge(order, ranges[i], i, pivot, pivot_range);
    split.low.push_back(ranges[i].first(cut));
    split.high.push_back(ranges[i].subspan(cut));
  }
  return split;
}

/// A window in its half.
class GpuWindowMerger::DeviceWindow : public MergedWindow {
 public:
  DeviceWindow(GpuWindowMerger& merger, MergeHalves::Held half, std::uint64_t byte_count)
      : merger_(merger), half_(std::move(half)), lane_(*merger.lanes_[half_.index()]), byte_count_(byte_count) {}
  ~DeviceWindow() override {
    lane_.stream.settle();
    lane_.drain.abandon();
  }
  DeviceWindow(const DeviceWindow&) = delete;
  DeviceWindow& operator=(const DeviceWindow&) = delete;

  std::uint64_t byte_count() const override { return byte_count_; }

  void drain(const PartConsumer& consumer) override {
    select_device(merger_.device_);
    lane_.drain.finish(consumer);
  }

  /// Returns when the ranges have been sent; by then their merge is queued and their way out has begun. Returns false
  /// if they hold more records than the half can take. Precondition: it could, if each range were one record.
  bool fill(const SortedRanges& ranges) {
    half_.arena().clear();
    std::byte* const records = half_.arena().carve(byte_count_);
    merger_.upload(ranges, records, lane_.stream);
    lane_.uploaded.record(lane_.stream);
    const std::vector<std::uint64_t> bounds =
        merger_.record_bounds(records, byte_bounds(ranges), half_.arena(), lane_.stream);
    const DeviceSizes sizes = merger_.sizes_of(byte_count_, bounds.back(), ranges.size());
    if (!merger_.fits(sizes)) return false;
    // The ranges stay where they are: a slot begins with its records.
    half_.arena().clear();
    lane_.space = carve_space(half_.arena(), merger_.traits_, sizes);
    const RunSlot& slot = lane_.space.slots[0];
    assert(slot.records == records);
    {
      const TimedWork work(merger_.timeline_, kMergeTrack, byte_count_, lane_.stream);
      merger_.sorter_->prepare(lane_.space, slot, {0, bounds.back(), 0, byte_count_}, lane_.stream);
      merged_ = merger_.sorter_->merge(lane_.space, slot, bounds, byte_count_, lane_.stream);
    }
    lane_.merged.record(lane_.stream);
    lane_.drain.begin(*merger_.sorter_, lane_.space, merged_, lane_.merged, {});
    lane_.uploaded.synchronize();
    return true;
  }

 private:
  GpuWindowMerger& merger_;
  MergeHalves::Held half_;
  Lane& lane_;
  std::uint64_t byte_count_;
  SortedSlot merged_;
};

GpuWindowMerger::GpuWindowMerger(const Format& format, const EngineOptions& engine_options, MergeHalves& halves,
                                 const MergeBudget& budget)
    : order_(format),
      traits_(traits_of(format)),
      device_(engine_options.device),
      timeline_(*engine_options.timeline),
      halves_(halves),
      part_bytes_(
          plan_window_part_bytes({budget.host_bytes, halves.half_bytes(), kLargestPartBytes, traits_.record_bytes})),
      sorter_(make_record_sorter(format, traits_, engine_options.algorithm)) {
  for (auto& lane : lanes_) lane.emplace(part_bytes_, engine_options.threads, timeline_);
}

std::uint64_t GpuWindowMerger::best_window_bytes() const {
  return largest_window_bytes(traits_, halves_.half_bytes(), part_bytes_);
}

std::unique_ptr<MergedWindow> GpuWindowMerger::merge(std::span<const std::span<const std::byte>> all_ranges,
                                                     const PartConsumer::Look&, std::span<std::byte>) {
  select_device(device_);
  SortedRanges ranges(all_ranges.begin(), all_ranges.end());
  std::erase_if(ranges, [](const auto& range) { return range.empty(); });
  if (ranges.size() > 1) {
    if (auto window = merge_on_device(ranges)) return window;
  }
  std::unique_ptr<HostWindow> window = host_windows_.begin(total_bytes(ranges));
  merge_into(ranges, window->bytes());
  return window;
}

DeviceSizes GpuWindowMerger::sizes_of(std::uint64_t byte_count, std::uint64_t record_count,
                                      std::size_t range_count) const {
  return merge_sizes(byte_count, record_count, static_cast<std::uint32_t>(range_count), part_bytes_);
}

bool GpuWindowMerger::fits(const DeviceSizes& sizes) const {
  const bool can_be_indexed = traits_.numbers() || sizes.slot_records <= kMaxIndexedRecords;
  return can_be_indexed && device_bytes(traits_, sizes) <= halves_.half_bytes();
}

std::unique_ptr<GpuWindowMerger::DeviceWindow> GpuWindowMerger::merge_on_device(const SortedRanges& ranges) {
  const std::uint64_t byte_count = total_bytes(ranges);
  if (!fits(sizes_of(byte_count, ranges.size(), ranges.size()))) return nullptr;
  auto window = std::make_unique<DeviceWindow>(*this, MergeHalves::Held(halves_), byte_count);
  return window->fill(ranges) ? std::move(window) : nullptr;
}

/// Range i is records [bounds[i], bounds[i + 1]) of the result. Lines are counted on the device: to read a window once
/// more takes the host longer than to send it. Waits for the stream if they are. Precondition: as of fill().
std::vector<std::uint64_t> GpuWindowMerger::record_bounds(const std::byte* records, std::vector<std::uint64_t> bounds,
                                                          Arena& arena, const CudaStream& stream) const {
  if (!traits_.lines()) {
    for (std::uint64_t& bound : bounds) bound /= traits_.record_bytes;
    return bounds;
  }
  std::vector<std::uint64_t> counts(bounds.size() - 1);
  auto* const device_bounds = arena.carve_array<std::uint64_t>(bounds.size());
  auto* const device_counts = arena.carve_array<std::uint64_t>(counts.size());
  copy_to_device(device_bounds, bounds.data(), bounds.size() * sizeof(std::uint64_t), stream);
  kernels::count_lines(records, order_.layout().delimiter, device_bounds, static_cast<std::uint32_t>(counts.size()),
                       device_counts, stream.handle());
  copy_to_host(counts.data(), device_counts, counts.size() * sizeof(std::uint64_t), stream);
  stream.synchronize();
  std::inclusive_scan(counts.begin(), counts.end(), bounds.begin() + 1);
  return bounds;
}

void GpuWindowMerger::merge_into(const SortedRanges& all_ranges, std::span<std::byte> output) {
  SortedRanges ranges = all_ranges;
  std::erase_if(ranges, [](const auto& range) { return range.empty(); });
  assert(total_bytes(ranges) == output.size());
  if (ranges.empty()) return;
  if (ranges.size() == 1) {
    copy_in_parallel(output, ranges[0]);
    return;
  }
  if (const auto window = merge_on_device(ranges)) {
    window->drain([&](std::span<std::byte> part) {
      copy_in_parallel(output, part);
      output = output.subspan(part.size());
    });
    return;
  }
  const auto split = split_ranges(order_, ranges);
  if (!split) {
    merge_single_records(ranges, output);
    return;
  }
  const std::size_t low_bytes = static_cast<std::size_t>(total_bytes(split->low));
  merge_into(split->low, output.first(low_bytes));
  merge_into(split->high, output.subspan(low_bytes));
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

void GpuWindowMerger::upload(const SortedRanges& ranges, std::byte* target, const CudaStream& stream) {
  const TimedWork work(timeline_, kUploadTrack, total_bytes(ranges), stream);
  for (const std::span<const std::byte> range : ranges) {
    copy_from_pinned(target, range, stream);
    target += range.size();
  }
}

}  // namespace sortie::gpu
