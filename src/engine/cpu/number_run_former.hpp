// Forms runs of bare numbers: the numbers themselves are sorted, from one half of the memory into the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "base/slot_pool.hpp"
#include "engine/engine.hpp"
#include "entries/splitters.hpp"
#include "record/key_plan.hpp"
#include "record/record_order.hpp"

namespace sortie {

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

// All threads deal the numbers of an array to buckets in another, and sort these by vector code. To deal again what no
// cache holds takes longer than to sort it as it is. Numbers are read twice, to count them and to deal them. A mapped
// file that is cut short may have changed in between: then the result is worthless, as its mapping will tell.

/// Copies the codes of `numbers` to `target`, each to the position of its bucket, which moves on: within `target`
/// whatever the positions are. Throws if the sort is asked to stop.
template <class Code>
void deal_numbers(std::span<const Code> numbers, const ArrayCodec<Code>& codec, const Splitters& splitters,
                  std::span<std::size_t> positions, std::span<Code> target);

template <class Code>
class DealtNumbers {
 public:
  /// Deals `numbers` to `target`, which is as long, does not overlap them and must outlive this. Parallel.
  DealtNumbers(std::span<const Code> numbers, std::span<Code> target, const ArrayCodec<Code>& codec);

  /// 0 if there are no numbers.
  std::size_t bucket_count() const { return begins_.empty() ? 0 : begins_.size() - 1; }

  /// Sorts buckets [begin, end), and returns their numbers. Call once for each bucket. Parallel.
  std::span<Code> sort(std::size_t begin, std::size_t end) const;

 private:
  void sort_bucket(std::size_t bucket) const;

  std::span<Code> codes_;
  ArrayCodec<Code> codec_;
  std::vector<std::size_t> begins_;  // of the buckets, and the end of the last
};

extern template class DealtNumbers<std::uint32_t>;
extern template class DealtNumbers<std::uint64_t>;

/// Sorts `numbers` into `sorted`, which is as long and does not overlap them. Parallel.
template <class Code>
void sort_numbers(std::span<const Code> numbers, std::span<Code> sorted, const ArrayCodec<Code>& codec) {
  const DealtNumbers<Code> dealt(numbers, sorted, codec);
  if (dealt.bucket_count() > 0) dealt.sort(0, dealt.bucket_count());
}

/// Code: std::uint32_t or std::uint64_t, by the size of the numbers.
template <class Code>
class NumberRunFormer : public RunFormer {
 public:
  NumberRunFormer(const RecordOrder& order, const FormationBudget& budget);

  std::span<std::byte> next_piece() override;
  std::span<std::byte> next_whole_piece(std::uint64_t bytes, std::uint64_t record_count) override;
  void commit_piece(std::size_t bytes, std::uint64_t record_count) override;
  std::unique_ptr<SortedRun> finish_run() override;

 private:
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
