// Forms runs of bare numbers on the CPU: the numbers themselves are sorted, from one half of the memory into the other.
// Made by the CPU engine, and for arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "base/memory_region.hpp"
#include "base/slot_pool.hpp"
#include "engine/cpu/array_codec.hpp"
#include "engine/engine.hpp"
#include "record/record_order.hpp"

namespace sortie {

/// Numbers of an array that all threads scatter to buckets in another one, and sort there by vector code. CellBuckets
/// are tried first; Splitters share what those cannot. To scatter again what no cache holds takes longer than to sort
/// it as it is. Numbers are read twice, to count them and to scatter them. A mapped file that is cut short may have
/// changed in between: then the result is worthless, and the mapping reports it.
template <class Code>
class ScatteredNumbers {
 public:
  /// Scatters `numbers` to `target`, which is as long, does not overlap them and must outlive this. Parallel.
  ScatteredNumbers(std::span<const Code> numbers, std::span<Code> target, const ArrayCodec<Code>& codec)
      : ScatteredNumbers(
            numbers, [target] { return target; }, codec) {}
  /// The same, but asks for the target once the numbers have been counted: it may not be ready before.
  ScatteredNumbers(std::span<const Code> numbers, FunctionRef<std::span<Code>()> target, const ArrayCodec<Code>& codec);

  /// Distance of the numbers by which the buckets of `count` are cut.
  static std::size_t sample_stride(std::size_t count);

  /// 0 if there are no numbers.
  std::size_t bucket_count() const { return begins_.empty() ? 0 : begins_.size() - 1; }

  /// What is called with the numbers of a bucket, at least one, by the thread that has just sorted them.
  using Look = FunctionRef<void(std::span<const Code> numbers)>;

  /// Sorts buckets [begin, end), and returns their numbers. Call once for each bucket. Parallel.
  std::span<Code> sort(std::size_t begin, std::size_t end, Look look) const;

  /// Numbers of a bucket.
  std::span<Code> bucket(std::size_t number) const {
    return codes_.subspan(begins_[number], begins_[number + 1] - begins_[number]);
  }

 private:
  /// Buckets: CellBuckets or Splitters.
  template <class Buckets>
  void scatter(std::span<const Code> numbers, FunctionRef<std::span<Code>()> target, const Buckets& buckets);
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
  if (scattered.bucket_count() > 0) scattered.sort(0, scattered.bucket_count(), [](std::span<const Code>) {});
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
  bool is_whole_ = false;  ///< the piece that was offered is all there is
};

extern template class NumberRunFormer<std::uint32_t>;
extern template class NumberRunFormer<std::uint64_t>;

}  // namespace sortie
