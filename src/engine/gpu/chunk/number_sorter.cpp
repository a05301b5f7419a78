#include "engine/gpu/chunk/number_sorter.hpp"

#include "device/copy.hpp"
#include "engine/gpu/chunk/device_chunk_sort.hpp"
#include "kernels/merge.hpp"
#include "record/key_plan.hpp"

namespace sortie::gpu {
namespace {

/// H200, random numbers, bitonic and radix sort: 2^18 u32 42 and 56 µs, u64 55 and 97; 2^20 u32 104 and 65, u64 153
/// and 134.
constexpr std::uint64_t kBitonicMaxNumbers = 1 << 18;

}  // namespace

NumberSorter::NumberSorter(const Format& format, Algorithm algorithm) : algorithm_(algorithm) {
  const KeyPart part = make_key_plan(format).parts[0];
  order_ = {part.kind, part.bytes, part.descending};
}

void NumberSorter::prepare(const DeviceSpace&, const RunSlot& slot, const Extent& extent, const CudaStream& stream) {
  kernels::encode_numbers(order_, slot.records + extent.first_byte, extent.record_count, stream.handle());
}

void NumberSorter::sort(const DeviceSpace& space, const RunSlot& slot, std::uint64_t first_record,
                        std::uint64_t record_count, const CudaStream& stream) {
  std::byte* numbers = slot.records + first_record * order_.bytes;
  std::byte* alternate = space.alternate_numbers + first_record * order_.bytes;
  const Algorithm algorithm = chosen_algorithm(algorithm_, record_count, kBitonicMaxNumbers);
  const auto sort_as = [&]<class Number>(Number*) {
    sort_chunk(algorithm, reinterpret_cast<Number*>(numbers), reinterpret_cast<Number*>(alternate), record_count,
               space.scratch, stream);
  };
  if (order_.bytes == 4) {
    sort_as(static_cast<std::uint32_t*>(nullptr));
  } else {
    sort_as(static_cast<std::uint64_t*>(nullptr));
  }
}

SortedSlot NumberSorter::merge(const DeviceSpace& space, const RunSlot& slot, std::span<const std::uint64_t> bounds,
                               std::uint64_t byte_count, const CudaStream& stream) {
  copy_to_device(space.sequence_offsets, bounds.data(), bounds.size_bytes(), stream);
  const kernels::SortedSequences sequences{space.sequence_offsets, static_cast<std::uint32_t>(bounds.size() - 1),
                                           bounds.back()};
  const auto merge_as = [&]<class Number>(Number*) {
    return kernels::merge_rounds(reinterpret_cast<Number*>(slot.records),
                                 reinterpret_cast<Number*>(space.alternate_numbers), sequences, space.scratch,
                                 stream.handle());
  };
  const kernels::MergeResult result = order_.bytes == 4 ? merge_as(static_cast<std::uint32_t*>(nullptr))
                                                        : merge_as(static_cast<std::uint64_t*>(nullptr));
  // The alternate array belongs to whichever slot is being sorted: the result must go to its own slot.
  if (result == kernels::MergeResult::kAlternate) {
    copy_on_device(slot.records, space.alternate_numbers, byte_count, stream);
  }
  kernels::decode_numbers(order_, slot.records, bounds.back(), stream.handle());
  return {slot, nullptr, bounds.back(), byte_count, space.sizes.part_bytes};
}

std::vector<OutputPart> NumberSorter::parts(const SortedSlot& sorted, const CudaStream&) {
  return fixed_parts(sorted.byte_count, order_.bytes, sorted.part_bytes);
}

const std::byte* NumberSorter::gather(const SortedSlot& sorted, const OutputPart& range, std::byte*,
                                      const CudaStream&) {
  return sorted.slot.records + range.begin;
}

}  // namespace sortie::gpu
