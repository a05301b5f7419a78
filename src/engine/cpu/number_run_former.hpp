// Forms runs of bare numbers: the numbers themselves are sorted, from one half of the memory into the other.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/memory_region.hpp"
#include "base/slot_pool.hpp"
#include "engine/engine.hpp"
#include "record/key_plan.hpp"
#include "record/record_order.hpp"

namespace sortie {

/// Turns numbers, the one field of an array's elements, into unsigned integers that compare in the requested order, and
/// back: as encode_number() does, but without branches, which random signs make slow.
template <class Code>
class ArrayCodec {
 public:
  explicit ArrayCodec(const KeyPart& part)
      : changed_(static_cast<Code>(encode_number(part.kind, 0, sizeof(Code)))),
        changed_if_negative_(static_cast<Code>(encode_number(part.kind, kAllBits, sizeof(Code)) ^ kAllBits ^ changed_)),
        flip_(part.descending ? kAllBits : Code{0}) {}

  /// Whether the codes are the numbers themselves.
  bool is_identity() const { return (changed_ | changed_if_negative_ | flip_) == 0; }

  Code encode(Code bits) const { return bits ^ changed_ ^ (changed_if_negative_ & spread_sign(bits)) ^ flip_; }
  Code decode(Code code) const {
    const Code ascending = code ^ flip_;
    return ascending ^ changed_ ^ (changed_if_negative_ & ~spread_sign(ascending));
  }

 private:
  static constexpr Code kAllBits = ~Code{0};

  /// All bits as the first.
  static Code spread_sign(Code bits) {
    return static_cast<Code>(static_cast<std::make_signed_t<Code>>(bits) >> (8 * sizeof(Code) - 1));
  }

  Code changed_;              // bits that differ from those of the number
  Code changed_if_negative_;  // and further ones
  Code flip_;
};

// All threads scatter the numbers of an array to buckets in another, and sort these by vector code. CellBuckets are
// tried first; Splitters share what those cannot. To scatter again what no cache holds takes longer than to sort it as
// it is. Numbers are read twice, to count them and to scatter them. A mapped file that is cut short may have changed in
// between: then the result is worthless, as its mapping will tell.

template <class Code>
class ScatteredNumbers {
 public:
  /// Scatters `numbers` to `target`, which is as long, does not overlap them and must outlive this. Parallel.
  ScatteredNumbers(std::span<const Code> numbers, std::span<Code> target, const ArrayCodec<Code>& codec);

  /// Distance of the numbers by which the buckets of `count` are cut.
  static std::size_t sample_stride(std::size_t count);

  /// 0 if there are no numbers.
  std::size_t bucket_count() const { return begins_.empty() ? 0 : begins_.size() - 1; }

  /// Sorts buckets [begin, end), and returns their numbers. Call once for each bucket. Parallel.
  std::span<Code> sort(std::size_t begin, std::size_t end) const;

 private:
  /// Buckets: CellBuckets or Splitters.
  template <class Buckets>
  void scatter(std::span<const Code> numbers, const Buckets& buckets);
  void sort_bucket(std::size_t bucket) const;

  std::span<Code> codes_;
  ArrayCodec<Code> codec_;
  bool has_equality_buckets_ = false;
  std::vector<std::size_t> begins_;  // of the buckets, and the end of the last
};

extern template class ScatteredNumbers<std::uint32_t>;
extern template class ScatteredNumbers<std::uint64_t>;

/// Sorts `numbers` into `sorted`, which is as long and does not overlap them. Parallel.
template <class Code>
void sort_numbers(std::span<const Code> numbers, std::span<Code> sorted, const ArrayCodec<Code>& codec) {
  const ScatteredNumbers<Code> scattered(numbers, sorted, codec);
  if (scattered.bucket_count() > 0) scattered.sort(0, scattered.bucket_count());
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
