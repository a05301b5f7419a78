// Merges windows of sorted ranges: sub-windows in parallel, a loser tree over prefixes in each.
#pragma once

#include "engine/cpu/array_codec.hpp"
#include "engine/engine.hpp"
#include "record/record_order.hpp"

namespace sortie {

class RecordWindowMerger : public WindowMerger {
 public:
  explicit RecordWindowMerger(const RecordOrder& order) : order_(order) {}
  void merge(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output) override;

 private:
  const RecordOrder& order_;
};

/// Numbers move as themselves, and vector code sorts a cache-sized sub-window several times faster than
/// a tree merges it. Equal numbers are equal in every bit, so there is no order among them to keep.
template <class Code>
class NumberWindowMerger : public WindowMerger {
 public:
  explicit NumberWindowMerger(const RecordOrder& order) : order_(order), codec_(order.plan().parts[0]) {}
  void merge(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output) override;

 private:
  const RecordOrder& order_;
  ArrayCodec<Code> codec_;
};

extern template class NumberWindowMerger<std::uint32_t>;
extern template class NumberWindowMerger<std::uint64_t>;

}  // namespace sortie
