// Merges windows of sorted ranges: sub-windows in parallel, a loser tree over prefixes in each.
#pragma once

#include "engine/cpu/number_sort.hpp"
#include "engine/host_windows.hpp"
#include "record/record_order.hpp"

namespace sortie {

class RecordWindowMerger : public HostWindowMerger {
 public:
  explicit RecordWindowMerger(const RecordOrder& order) : order_(order) {}

 private:
  void merge_into(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output) override;

  const RecordOrder& order_;
};

/// Numbers move as themselves, and vector code sorts a cache-sized sub-window several times faster than
/// a tree merges it. Equal numbers are equal in every bit, so there is no order among them to keep.
template <class Code>
class NumberWindowMerger : public HostWindowMerger {
 public:
  explicit NumberWindowMerger(const RecordOrder& order) : order_(order), codec_(order.plan().parts[0]) {}

 private:
  void merge_into(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output) override;

  const RecordOrder& order_;
  ArrayCodec<Code> codec_;
};

extern template class NumberWindowMerger<std::uint32_t>;
extern template class NumberWindowMerger<std::uint64_t>;

}  // namespace sortie
