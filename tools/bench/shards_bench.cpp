// Sorts arrays that are spread over several GPUs, and arrays of the host's, by sortie::cuda, and prints GB of array per
// second. Beside each sort is what it cannot beat: a sort of one share alone, and the copies between the GPUs or to
// them and back alone.
//
//   shards_bench [LOG2_COUNT] [SHARDS] [host]     as in `shards_bench 30 1,2`; default: 28 1
//
// LOG2_COUNT: items in all shards together. SHARDS: how many, each on the next GPU; where there are more than GPUs,
// several are on one. `host`: arrays of the host, too.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_shards.hpp>
#include <sortie/cuda/host_arrays.hpp>

#include "base/memory_region.hpp"
#include "base/system_limits.hpp"
#include "device/copy.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_info.hpp"
#include "device/device_memory.hpp"
#include "device/pinned_memory.hpp"

#include "bench_arguments.hpp"
#include "timed_arrays.hpp"

namespace {

using sortie::bench::Clock;
using sortie::bench::kRepeats;
using sortie::cuda::Keys;
using sortie::cuda::KeyType;
using sortie::cuda::Order;
using sortie::cuda::Values;

void require_ok(const sortie::cuda::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

/// The median of the times that `work` takes, after one time that does not count; `prepare` goes before each.
double time_of(const std::function<void()>& prepare, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = -1; i < kRepeats; ++i) {
    prepare();
    const auto begin = Clock::now();
    work();
    if (i >= 0) seconds.push_back(sortie::bench::seconds_since(begin));
  }
  return sortie::bench::median(seconds);
}

/// One GPU's share: keys, 8-byte values or none, and what it had before the sort.
struct Share {
  Share(int number, std::uint64_t items, KeyType type, std::size_t value_bytes, std::size_t shards)
      : device(number),
        count(items),
        key_bytes(items * bytes_of(type)),
        all_bytes(key_bytes + items * value_bytes),
        scratch_bytes(sortie::cuda::sort_shards_scratch_bytes(type, value_bytes, items, shards)),
        items_memory(all_bytes + 256),
        before(all_bytes),
        scratch(scratch_bytes) {}

  int device;
  std::uint64_t count;
  std::uint64_t key_bytes;
  std::uint64_t all_bytes;
  std::size_t scratch_bytes;
  sortie::DeviceBuffer items_memory;
  sortie::DeviceBuffer before;
  sortie::DeviceBuffer scratch;
  sortie::CudaStream stream;
};

/// An array of random keys, spread over `shard_count` shards of one size.
template <class Key>
class SpreadKeys {
 public:
  static constexpr KeyType kType = sortie::cuda::key_type_of<Key>();

  SpreadKeys(std::uint64_t count, std::size_t value_bytes, std::size_t shard_count, std::span<Key> host)
      : value_bytes_(value_bytes), host_(host) {
    const std::size_t devices = sortie::list_devices().devices.size();
    for (std::size_t i = 0; i < shard_count; ++i) {
      const auto device = static_cast<int>(i % devices);
      sortie::select_device(device);
      shares_.push_back(std::make_unique<Share>(device, count / shard_count, kType, value_bytes, shard_count));
      const Share& share = *shares_.back();
      sortie::copy_to_device(share.before.data(), host.data() + i * share.count, share.key_bytes, share.stream);
      share.stream.synchronize();
    }
  }

  void restore() const {
    for (const auto& share : shares_) {
      sortie::select_device(share->device);
      sortie::copy_on_device(share->items_memory.data(), share->before.data(), share->all_bytes, share->stream);
    }
    wait();
  }

  void sort() const {
    require_ok(sortie::cuda::sort_shards(shards(), Order::kAscending));
    wait();
  }

  /// Every share by itself, all at the same time.
  void sort_shares() const {
    for (const sortie::cuda::Shard& shard : shards()) {
      sortie::select_device(shard.device);
      require_ok(sortie::cuda::radix_sort(shard.keys, shard.values, shard.count, Order::kAscending, shard.scratch,
                                          shard.stream));
    }
    wait();
  }

  /// What all GPUs send one another, were each to send as much to each.
  void copy_between() const {
    for (std::size_t to = 0; to < shares_.size(); ++to) {
      sortie::select_device(shares_[to]->device);
      const std::uint64_t bytes = shares_[to]->all_bytes / shares_.size();
      for (std::size_t i = 1; i < shares_.size(); ++i) {
        const std::size_t from = (to + i) % shares_.size();
        sortie::copy_between_devices({shares_[to]->device, shares_[to]->scratch.data() + from * bytes},
                                     {shares_[from]->device, shares_[from]->items_memory.data() + to * bytes}, bytes,
                                     shares_[to]->stream.handle());
      }
    }
    wait();
  }

  bool is_sorted() const {
    const sortie::MemoryRegion memory(host_.size_bytes());
    const std::span<Key> sorted(reinterpret_cast<Key*>(memory.data()), host_.size());
    sortie::touch_pages_in_parallel(memory.bytes());
    std::uint64_t begin = 0;
    for (const auto& share : shares_) {
      sortie::select_device(share->device);
      sortie::copy_to_host(sorted.data() + begin, share->items_memory.data(), share->key_bytes, share->stream);
      share->stream.synchronize();
      begin += share->count;
    }
    return sortie::bench::is_sorted_copy<Key>(host_, sorted);
  }

 private:
  std::vector<sortie::cuda::Shard> shards() const {
    std::vector<sortie::cuda::Shard> shards;
    for (const auto& share : shares_) {
      const std::uint64_t value_begin = sortie::arena_bytes(share->key_bytes);
      shards.push_back({share->device, Keys(share->items_memory.data(), kType),
                        Values(share->items_memory.data() + value_begin, value_bytes_), share->count,
                        sortie::cuda::Scratch(share->scratch.data(), share->scratch_bytes), share->stream.handle()});
    }
    return shards;
  }

  void wait() const {
    for (const auto& share : shares_) {
      sortie::select_device(share->device);
      share->stream.synchronize();
    }
  }

  std::size_t value_bytes_;
  std::span<Key> host_;
  std::vector<std::unique_ptr<Share>> shares_;
};

template <class Key>
void bench_shards(const char* name, std::uint64_t count, std::size_t value_bytes, std::size_t shard_count,
                  std::span<std::byte> memory) {
  const std::span<Key> host(reinterpret_cast<Key*>(memory.data()), count / shard_count * shard_count);
  sortie::bench::fill(host, [](std::mt19937_64& random, std::size_t) { return random(); });
  const SpreadKeys<Key> keys(host.size(), value_bytes, shard_count, host);
  const auto restore = [&] { keys.restore(); };
  const double alone = time_of(restore, [&] { keys.sort_shares(); });
  const double links = time_of(restore, [&] { keys.copy_between(); });
  const double taken = time_of(restore, [&] { keys.sort(); });
  const double gigabytes = static_cast<double>(host.size() * (sizeof(Key) + value_bytes)) * 1e-9;
  std::printf("%-28s %zu shards %9.3f ms %8.1f GB/s  %s; shares alone %.3f ms, links alone %.3f ms: %.0f%% of both\n",
              name, shard_count, taken * 1e3, gigabytes / taken, keys.is_sorted() ? "sorted" : "WRONG", alone * 1e3,
              links * 1e3, 100 * (alone + links) / taken);
  std::fflush(stdout);
}

/// Seconds that `bytes` take to the devices, and then back, in equal shares.
double time_of_links(std::span<std::byte> memory, std::size_t device_count) {
  std::vector<std::unique_ptr<Share>> shares;
  const std::uint64_t share_bytes = memory.size() / device_count;
  for (std::size_t i = 0; i < device_count; ++i) {
    sortie::select_device(static_cast<int>(i));
    shares.push_back(std::make_unique<Share>(static_cast<int>(i), share_bytes / 8, KeyType::kUint64, 0, 1));
  }
  const auto for_each = [&](const auto& use) {
    for (std::size_t i = 0; i < device_count; ++i) {
      sortie::select_device(static_cast<int>(i));
      use(*shares[i], memory.data() + i * share_bytes);
    }
  };
  const auto wait = [](const Share& share, std::byte* /*host*/) { share.stream.synchronize(); };
  return time_of([] {},
                 [&] {
                   for_each([](const Share& share, std::byte* host) {
                     sortie::copy_to_device(share.before.data(), host, share.all_bytes, share.stream);
                   });
                   for_each(wait);
                   for_each([](const Share& share, std::byte* host) {
                     sortie::copy_to_host(host, share.before.data(), share.all_bytes, share.stream);
                   });
                   for_each(wait);
                 });
}

/// Sorts `count` keys, with as many values of 8 bytes if there are to be.
void bench_host(const char* name, std::uint64_t count, bool has_values, std::span<std::byte> memory,
                const sortie::cuda::HostSortResources& resources) {
  const std::span<std::uint64_t> keys(reinterpret_cast<std::uint64_t*>(memory.data()), count);
  std::uint64_t* const values = has_values ? keys.data() + count : nullptr;
  const auto draw = [&] { sortie::bench::fill(keys, [](std::mt19937_64& random, std::size_t) { return random(); }); };
  const double taken = time_of(draw, [&] {
    require_ok(sortie::cuda::sort_host_array(keys.data(), has_values ? Values(values) : Values(), count,
                                             Order::kAscending, resources));
  });
  const sortie::MemoryRegion before(count * 8);
  const std::span<std::uint64_t> drawn(reinterpret_cast<std::uint64_t*>(before.data()), count);
  sortie::bench::fill(drawn, [](std::mt19937_64& random, std::size_t) { return random(); });
  const bool is_right = sortie::bench::is_sorted_copy<std::uint64_t>(drawn, keys);
  const std::uint64_t bytes = count * (has_values ? 16 : 8);
  const double links = time_of_links(memory.first(bytes), std::max<std::size_t>(resources.devices.size(), 1));
  std::printf("%-28s %zu GPUs  %9.3f ms %8.1f GB/s  %s, %.0f%% of the links' speed\n", name, resources.devices.size(),
              taken * 1e3, static_cast<double>(bytes) * 1e-9 / taken, is_right ? "sorted" : "WRONG",
              100 * links / taken);
  std::fflush(stdout);
}

void bench_host_arrays(std::uint64_t count, std::size_t device_count) {
  std::vector<int> devices(device_count);
  std::iota(devices.begin(), devices.end(), 0);
  const std::uint64_t bytes = count * 16;
  {
    const sortie::PinnedBuffer pinned(bytes, sortie::available_threads());
    bench_host("host u64, pinned", count, false, pinned.bytes(), {devices});
    bench_host("host u64 + u64, pinned", count, true, pinned.bytes(), {devices});
    // Less than the array takes: sorted runs, and windows of them.
    bench_host("host u64, beyond the memory", count, false, pinned.bytes(), {devices, count * 8 / device_count});
    bench_host("host u64 + u64, beyond", count, true, pinned.bytes(), {devices, bytes / device_count});
  }
  // A quarter of the items: this row takes longest.
  const sortie::MemoryRegion pageable(bytes / 8);
  bench_host("host u64, pageable, a quarter", count / 4, false, pageable.bytes(), {devices});
}

void bench(int log2_count, const std::vector<std::size_t>& shard_counts, bool with_host) {
  const std::uint64_t count = std::uint64_t{1} << log2_count;
  std::vector<int> devices;
  for (const sortie::DeviceInfo& device : sortie::list_devices().devices) devices.push_back(device.number);
  for (const int device : devices) sortie::allow_peer_access(device, devices);
  {
    const sortie::PinnedBuffer memory(count * 8, sortie::available_threads());
    for (const std::size_t shards : shard_counts) {
      bench_shards<std::uint32_t>("u32", count, 0, shards, memory.bytes());
      bench_shards<std::uint64_t>("u64", count, 0, shards, memory.bytes());
      bench_shards<std::uint32_t>("u32 + u32", count, 4, shards, memory.bytes());
      bench_shards<std::uint64_t>("u64 + u64", count, 8, shards, memory.bytes());
    }
  }
  if (!with_host) return;
  for (const std::size_t shards : shard_counts) {
    if (shards <= devices.size()) bench_host_arrays(count, shards);
  }
}

}  // namespace

int main(int argument_count, char** given) {
  constexpr char kUsage[] = "shards_bench [LOG2_COUNT] [SHARDS] [host]     as in: shards_bench 30 1,2 host";
  return sortie::bench::run_bench(kUsage, 28, argument_count, given, [](const auto& arguments) {
    bench(arguments.log2_count, {arguments.counts.begin(), arguments.counts.end()}, arguments.more == "host");
  });
}
