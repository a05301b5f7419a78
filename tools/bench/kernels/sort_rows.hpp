// The rows of one type of items: each of our sorts that makes sense at this size, beside both of CUB's, which are
// timed once for all rows. Few items are sorted by several calls in a graph, each with its own array.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/kernels/bench_run.hpp"

namespace sortie::bench {

/// With more items than these, a sort is so slow that its time says nothing.
inline constexpr std::uint64_t kMostBitonicItems = std::uint64_t{1} << 22;
inline constexpr std::uint64_t kMostSplitRadixItems = std::uint64_t{1} << 26;
inline constexpr std::uint64_t kMostOddEvenItems = std::uint64_t{1} << 15;

/// The bytes that a radix sort of 8-bit digits moves: one read of the keys for the histograms, then a read and a write
/// of the items per digit. The radix rows, ours and CUB's, are measured against them.
template <class Key>
constexpr std::uint64_t radix_traffic_bytes(std::uint64_t count, std::uint64_t value_bytes) {
  return count * (sizeof(Key) + sizeof(Key) * 2 * (sizeof(Key) + value_bytes));
}

class SortRows {
 public:
  /// One of CUB's sorts. Without an area it only says how many bytes of scratch it needs.
  using CubSort = std::function<void(void* area, std::size_t& bytes, unsigned call, cudaStream_t stream)>;

  /// Names rows after the algorithm and `items`, such as "u64+u32".
  SortRows(BenchRun& run, std::string items, KeyDistribution distribution, std::uint64_t count);

  /// Whether any row may be wanted. If not, the caller need not allocate.
  bool is_selected() const;
  std::uint64_t count() const { return count_; }
  unsigned calls() const { return calls_; }
  /// Scratch for any of our sorts of this many items.
  std::uint64_t scratch_bytes() const;

  /// Calls fill(call, stream) to make the items anew before each round.
  void fill_with(BenchRun::Call fill) { fill_ = std::move(fill); }
  void add_peer(const std::string& name, const CubSort& sort);
  /// Adds a row for one of our sorts. All peers must have been added before.
  void add(const std::string& algorithm, std::uint64_t traffic_bytes, const BenchRun::Call& sort);

 private:
  BenchRun& run_;
  std::string items_;
  KeyDistribution distribution_;
  std::uint64_t count_;
  unsigned calls_;
  BenchRun::Call fill_;
  std::vector<Peer> peers_;
};

}  // namespace sortie::bench
