// Merges windows of sorted ranges on the CPU: sub-windows in parallel, a loser tree over prefixes in each.
// Sub-windows are cut at bounds that are exact whatever the keys: a bound is a record with its position (key K, range
// r, offset p), and cuts range i after K if i < r, before K if i > r, and at p if i = r. So equal keys keep their order
// and cannot make sub-windows uneven.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/cpu/array_codec.hpp"
#include "engine/host_windows.hpp"
#include "record/record_order.hpp"

namespace sortie {

class RecordWindowMerger : public HostWindowMerger {
 public:
  /// `usual_bytes`: of a window without long records.
  explicit RecordWindowMerger(const RecordOrder& order, std::uint64_t usual_bytes = ~std::uint64_t{0})
      : HostWindowMerger(usual_bytes), order_(order) {}

 private:
  void merge_into(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output, Show show) override;

  const RecordOrder& order_;
};

/// Numbers move as themselves, and vector code sorts a cache-sized sub-window several times faster than
/// a tree merges it. Equal numbers are equal in every bit, so there is no order among them to keep.
template <class Code>
class NumberWindowMerger : public HostWindowMerger {
 public:
  explicit NumberWindowMerger(const RecordOrder& order) : order_(order), codec_(order.plan().parts[0]) {}

 private:
  void merge_into(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output, Show show) override;

  const RecordOrder& order_;
  ArrayCodec<Code> codec_;
};

extern template class NumberWindowMerger<std::uint32_t>;
extern template class NumberWindowMerger<std::uint64_t>;

/// A sorted range of one run.
using RunRange = std::span<const std::byte>;

/// Row w and row w + 1 hold the offsets in each range where sub-window w begins and ends. `wanted` >= 1
/// sub-windows; there may be fewer.
std::vector<std::vector<std::size_t>> split_window(const RecordOrder& order, std::span<const RunRange> ranges,
                                                   std::size_t wanted);

}  // namespace sortie
