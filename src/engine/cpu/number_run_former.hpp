// Forms runs of bare numbers: the numbers themselves are sorted, from one half of the memory into the other.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory_region.hpp"
#include "base/slot_pool.hpp"
#include "engine/cpu/former_runs.hpp"
#include "engine/engine.hpp"
#include "record/key_plan.hpp"
#include "record/record_order.hpp"

namespace sortie {

// Sorts an array of numbers into another: all threads deal the encoded numbers to buckets. Each thread then takes whole
// buckets, deals those that no cache holds to smaller ones, and sorts by vector code.

/// Turns numbers, the one field of an array's elements, into unsigned integers that compare in the requested order, and
/// back.
template <class Code>
class ArrayCodec {
 public:
  explicit ArrayCodec(const KeyPart& part) : kind_(part.kind), flip_(part.descending ? ~Code{0} : Code{0}) {}

  Code encode(Code bits) const { return static_cast<Code>(encode_number(kind_, bits, sizeof(Code))) ^ flip_; }
  Code decode(Code code) const { return static_cast<Code>(decode_number(kind_, code ^ flip_, sizeof(Code))); }

 private:
  FieldKind kind_;
  Code flip_;
};

/// `sorted` is as long as `numbers` and does not overlap it. `room`: the memory of `numbers`, or as much other memory,
/// in which the numbers are lost; empty if there is none: then each thread takes room for the largest of its buckets.
/// Parallel.
template <class Code>
void sort_numbers(std::span<const Code> numbers, std::span<Code> sorted, std::span<Code> room,
                  const ArrayCodec<Code>& codec);

extern template void sort_numbers(std::span<const std::uint32_t>, std::span<std::uint32_t>, std::span<std::uint32_t>,
                                  const ArrayCodec<std::uint32_t>&);
extern template void sort_numbers(std::span<const std::uint64_t>, std::span<std::uint64_t>, std::span<std::uint64_t>,
                                  const ArrayCodec<std::uint64_t>&);

/// Code: std::uint32_t or std::uint64_t, by the size of the numbers.
template <class Code>
class NumberRunFormer : public RunFormer {
 public:
  NumberRunFormer(const RecordOrder& order, const FormationBudget& budget);

  std::span<std::byte> next_piece() override;
  void commit_piece(std::size_t bytes, std::uint64_t record_count) override;
  std::unique_ptr<SortedRun> finish_run() override;

 private:
  Layout layout_;
  ArrayCodec<Code> codec_;
  std::uint64_t part_bytes_;
  MemoryRegion input_;
  MemoryRegion sorted_;
  SlotPool sorted_use_{1};  ///< of `sorted_`, by the run that is being drained
  std::size_t used_bytes_ = 0;
};

extern template class NumberRunFormer<std::uint32_t>;
extern template class NumberRunFormer<std::uint64_t>;

}  // namespace sortie
