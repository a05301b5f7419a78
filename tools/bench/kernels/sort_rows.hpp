// The rows of one type of items: every sort of ours that makes sense at this size beside both of CUB's, whose
// times are taken once for all rows. Few items are sorted by several calls in a graph, each its own array.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/kernels/bench_run.hpp"

namespace sortie::bench {

/// Beyond these, a sort is so far behind the others that its time says nothing.
inline constexpr std::uint64_t kMostBitonicItems = std::uint64_t{1} << 22;
inline constexpr std::uint64_t kMostSplitRadixItems = std::uint64_t{1} << 26;
inline constexpr std::uint64_t kMostOddEvenItems = std::uint64_t{1} << 15;

class SortRows {
 public:
  /// A sort of CUB's: with no area it only says how many bytes of scratch it needs.
  using CubSort = std::function<void(void* area, std::size_t& bytes, unsigned call, cudaStream_t stream)>;

  /// Rows are named after the algorithm and `items`, such as "u64+u32".
  SortRows(BenchRun& run, std::string items, KeyDistribution distribution, std::uint64_t count);

  /// Whether any row may be asked for: if not, the caller need not allocate.
  bool wanted() const;
  std::uint64_t count() const { return count_; }
  unsigned calls() const { return calls_; }
  /// For any of our sorts of so many items.
  std::uint64_t scratch_bytes() const;

  /// fill(call, stream) makes the items anew before each round.
  void fill_with(BenchRun::Call fill) { fill_ = std::move(fill); }
  void add_peer(const std::string& name, const CubSort& sort);
  /// Behind the peers.
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
