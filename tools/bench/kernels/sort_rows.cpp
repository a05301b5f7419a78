#include "bench/kernels/sort_rows.hpp"

#include <algorithm>
#include <utility>

#include "device/device_memory.hpp"
#include "kernels/merge_sort.hpp"
#include "kernels/odd_even_sort.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/split_radix_sort.hpp"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kMostItemsOfShortCalls = 1 << 16;
constexpr unsigned kShortCalls = 16;
constexpr std::string_view kAlgorithms[] = {"radix", "merge sort", "bitonic", "split radix", "odd-even"};

}  // namespace

SortRows::SortRows(BenchRun& run, std::string items, KeyDistribution distribution, std::uint64_t count)
    : run_(run),
      items_(std::move(items)),
      distribution_(distribution),
      count_(count),
      calls_(count <= kMostItemsOfShortCalls ? kShortCalls : 1) {}

bool SortRows::is_selected() const {
  return std::ranges::any_of(
      kAlgorithms, [&](std::string_view algorithm) { return run_.wants(std::string(algorithm) + ' ' + items_); });
}

std::uint64_t SortRows::scratch_bytes() const {
  return std::max({kernels::short_radix_sort_scratch_bytes(count_), kernels::merge_sort_scratch_bytes(count_),
                   kernels::split_radix_scratch_bytes(count_),
                   count_ <= kMostOddEvenItems ? kernels::odd_even_scratch_bytes(count_, count_) : 0});
}

void SortRows::add_peer(const std::string& name, const CubSort& sort) {
  std::size_t bytes = 0;
  sort(nullptr, bytes, 0, run_.stream());
  const DeviceBuffer scratch(bytes);
  peers_.push_back({name, run_.milliseconds_per_call(calls_, fill_, [&](unsigned call, cudaStream_t s) {
                      sort(scratch.data(), bytes, call, s);
                    })});
}

void SortRows::add(const std::string& algorithm, std::uint64_t traffic_bytes, const BenchRun::Call& sort) {
  Measurement row{algorithm + ' ' + items_, distribution_, count_, traffic_bytes};
  if (!run_.wants(row.operation)) return;
  row.milliseconds = run_.milliseconds_per_call(calls_, fill_, sort);
  row.peers = peers_;
  run_.add(std::move(row));
}

}  // namespace sortie::bench
