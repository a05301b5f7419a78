#include "cuda/host/external_sort.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <sortie/cuda/device_merge.hpp>

#include "base/device_error.hpp"
#include "base/first_index.hpp"
#include "base/system_limits.hpp"
#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"
#include "cuda/host/external_plan.hpp"
#include "cuda/shards/rank_cuts.hpp"
#include "cuda/stable_sort.hpp"
#include "device/pinned_memory.hpp"

namespace sortie::cuda {
namespace {

/// Keys of the host as codes: unsigned numbers in the order of the keys.
class HostCodes {
 public:
  HostCodes(const std::byte* keys, KeyType type, Order order)
      : keys_(keys),
        key_bytes_(bytes_of(type)),
        codec_(kernels::make_row_codec<std::uint64_t>(row_order(type, order), true)) {}

  std::uint64_t at(std::uint64_t i) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, keys_ + i * key_bytes_, key_bytes_);
    return codec_.encode(bits);
  }

  /// How many of items [begin, end), which are in order, come before the first for which `is_behind` holds.
  template <class IsBehind>
  std::uint64_t count_until(std::uint64_t begin, std::uint64_t end, const IsBehind& is_behind) const {
    return first_index(begin, end, [&](std::uint64_t i) { return is_behind(at(i)); }) - begin;
  }

 private:
  const std::byte* keys_;
  std::size_t key_bytes_;
  kernels::RowCodec<std::uint64_t> codec_;
};

class ExternalSort {
 public:
  ExternalSort(const HostItems& items, std::span<const int> devices, std::uint64_t lane_bytes)
      : items_(items), plan_(plan_external(sizes(), items.count(), lane_bytes)) {
    if (plan_.chunk_items == 0) {
      throw DeviceMemoryError("of a GPU's memory " + std::to_string(kLanesOfDevice * lane_bytes) +
                              " bytes can be used, which is too little to sort in; free some");
    }
    // Lanes of different devices take turns.
    for (std::size_t lane = 0; lane < kLanesOfDevice; ++lane) {
      for (const int device : devices) lanes_.push_back(std::make_unique<DeviceLane>(device, lane_bytes));
    }
    const unsigned threads = available_threads();
    run_keys_ = PinnedBuffer(items.count() * items.key_bytes(), threads);
    run_values_ = PinnedBuffer(items.count() * items.value_bytes(), threads);
  }

  void run() {
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < plan_.run_counts.size(); ++i) {
      form_run(lane(i), {begin, plan_.run_counts[i]});
      begin += plan_.run_counts[i];
    }
    wait();
    const RankCuts cuts = cut();
    for (std::size_t w = 0; w + 1 < plan_.window_ranks.size(); ++w) merge_window(lane(w), w, cuts);
    wait();
  }

 private:
  ItemSizes sizes() const { return {items_.type(), items_.value_bytes()}; }

  const DeviceLane& lane(std::size_t turn) const {
    const DeviceLane& lane = *lanes_[turn % lanes_.size()];
    lane.select();
    return lane;
  }

  void wait() const {
    for (const auto& lane : lanes_) lane->synchronize();
  }

  void form_run(const DeviceLane& lane, const Stretch& stretch) const {
    const ChunkMemory memory(sizes(), stretch.count, lane.memory());
    items_.upload(stretch, {memory.keys, memory.values}, lane.stream());
    stable_sort(Keys(memory.keys, items_.type()), Values(memory.values, items_.value_bytes()), stretch.count,
                items_.order(), memory.sort, lane.stream());
    copy_async(key_of_run(stretch.begin), memory.keys, stretch.count * items_.key_bytes(), lane.stream());
    copy_async(value_of_run(stretch.begin), memory.values, stretch.count * items_.value_bytes(), lane.stream());
  }

  /// The host looks keys up one at a time: for it a question costs what its answer does.
  RankCuts cut() const {
    constexpr unsigned kTries = 1;
    const HostCodes codes(run_keys_.data(), items_.type(), items_.order());
    std::vector<kernels::SortedRank> ranks;
    const auto look_up = [&](std::span<const std::uint64_t> values) {
      ranks.clear();
      for (std::uint64_t run = 0, begin = 0; run < plan_.run_counts.size(); ++run) {
        const std::uint64_t end = begin + plan_.run_counts[run];
        for (const std::uint64_t value : values) {
          ranks.push_back({codes.count_until(begin, end, [&](std::uint64_t code) { return code >= value; }),
                           codes.count_until(begin, end, [&](std::uint64_t code) { return code > value; })});
        }
        begin = end;
      }
      return ShardRanks(ranks, values.size());
    };
    const auto key_bits = static_cast<unsigned>(8 * items_.key_bytes());
    return cut_at_ranks(plan_.run_counts, plan_.window_ranks, key_bits, kTries, look_up);
  }

  void merge_window(const DeviceLane& lane, std::size_t window, const RankCuts& cuts) const {
    const Stretch stretch{plan_.window_ranks[window], plan_.window_ranks[window + 1] - plan_.window_ranks[window]};
    const auto run_count = static_cast<std::uint32_t>(plan_.run_counts.size());
    const WindowMemory memory(sizes(), stretch.count, run_count, lane.memory());
    std::vector<std::uint64_t> offsets = {0};
    for (std::uint64_t run = 0, run_begin = 0; run < run_count; run_begin += plan_.run_counts[run], ++run) {
      const std::uint64_t begin = run_begin + cuts[window][run];
      const std::uint64_t count = cuts[window + 1][run] - cuts[window][run];
      copy_async(memory.gathered_keys + offsets.back() * items_.key_bytes(), key_of_run(begin),
                 count * items_.key_bytes(), lane.stream());
      copy_async(memory.gathered_values + offsets.back() * items_.value_bytes(), value_of_run(begin),
                 count * items_.value_bytes(), lane.stream());
      offsets.push_back(offsets.back() + count);
    }
    copy_async(memory.offsets, offsets.data(), offsets.size() * sizeof(std::uint64_t), lane.stream());
    order_window(memory, stretch.count, lane.stream());
    items_.download({memory.keys, memory.values}, stretch, lane.stream());
  }

  void order_window(const WindowMemory& memory, std::uint64_t count, cudaStream_t stream) const {
    const Keys keys(memory.keys, items_.type());
    const Values values(memory.values, items_.value_bytes());
    if (!merges_windows(items_.type())) return stable_sort(keys, values, count, items_.order(), memory.work, stream);
    const SortedLists lists{ConstKeys(memory.gathered_keys, items_.type()),
                            ConstValues(memory.gathered_values, items_.value_bytes()), memory.offsets,
                            static_cast<std::uint32_t>(plan_.run_counts.size()), count};
    require_ok(merge_lists(lists, keys, values, items_.order(), Scratch(memory.work, memory.work_bytes), stream));
  }

  std::byte* key_of_run(std::uint64_t item) const { return run_keys_.data() + item * items_.key_bytes(); }
  std::byte* value_of_run(std::uint64_t item) const {
    return items_.value_bytes() == 0 ? nullptr : run_values_.data() + item * items_.value_bytes();
  }

  const HostItems& items_;
  ExternalPlan plan_;
  PinnedBuffer run_keys_;
  PinnedBuffer run_values_;
  std::vector<std::unique_ptr<DeviceLane>> lanes_;  ///< their work uses what comes before
};

}  // namespace

void sort_external(const HostItems& items, std::span<const int> devices, std::uint64_t lane_bytes) {
  std::unique_ptr<ExternalSort> sort;
  try {
    sort = std::make_unique<ExternalSort>(items, devices, lane_bytes);
  } catch (const Error& error) {
    throw DeviceMemoryError(error.what());
  }
  sort->run();
}

}  // namespace sortie::cuda
