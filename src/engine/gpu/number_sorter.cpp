#include "engine/gpu/number_sorter.hpp"

#include "device/cuda_error.hpp"
#include "kernels/bitonic_sort.hpp"
#include "kernels/merge.hpp"
#include "kernels/radix_sort.hpp"
#include "record/key_plan.hpp"

namespace sortie::gpu {
namespace {

template <class Number>
void sort_numbers(std::byte* numbers, std::byte* alternate, std::uint64_t count, bool bitonic, void* scratch,
                  cudaStream_t stream) {
  auto* keys = reinterpret_cast<Number*>(numbers);
  if (bitonic) {
    kernels::bitonic_sort_keys(keys, count, stream);
  } else {
    kernels::radix_sort_keys(keys, reinterpret_cast<Number*>(alternate), count, {0, 8 * sizeof(Number)}, scratch,
                             stream);
  }
}

}  // namespace

NumberSorter::NumberSorter(const Format& format, Algorithm algorithm) : algorithm_(algorithm) {
  const KeyPart part = make_key_plan(format).parts[0];
  order_ = {part.kind, part.bytes, part.descending};
}

void NumberSorter::prepare(const DeviceSpace&, const RunSlot& slot, const Extent& extent, cudaStream_t stream) {
  kernels::encode_numbers(order_, slot.records + extent.first_byte, extent.record_count, stream);
}

void NumberSorter::sort(const DeviceSpace& space, const RunSlot& slot, std::uint64_t first_record,
                        std::uint64_t record_count, cudaStream_t stream) {
  std::byte* numbers = slot.records + first_record * order_.bytes;
  std::byte* alternate = space.alternate_numbers + first_record * order_.bytes;
  const bool bitonic = takes_bitonic(algorithm_, record_count);
  if (order_.bytes == 4) {
    sort_numbers<std::uint32_t>(numbers, alternate, record_count, bitonic, space.scratch, stream);
  } else {
    sort_numbers<std::uint64_t>(numbers, alternate, record_count, bitonic, space.scratch, stream);
  }
}

SortedSlot NumberSorter::merge(const DeviceSpace& space, const RunSlot& slot, std::span<const std::uint64_t> bounds,
                               std::uint64_t byte_count, cudaStream_t stream) {
  check_cuda(
      cudaMemcpyAsync(space.sequence_offsets, bounds.data(), bounds.size_bytes(), cudaMemcpyHostToDevice, stream),
      "copying sequence bounds to the GPU");
  const kernels::SortedSequences sequences{space.sequence_offsets, static_cast<std::uint32_t>(bounds.size() - 1),
                                           bounds.back()};
  const auto merge_as = [&]<class Number>(Number*) {
    return kernels::merge_rounds(reinterpret_cast<Number*>(slot.records),
                                 reinterpret_cast<Number*>(space.alternate_numbers), sequences, space.scratch, stream);
  };
  const kernels::MergeResult result = order_.bytes == 4 ? merge_as(static_cast<std::uint32_t*>(nullptr))
                                                        : merge_as(static_cast<std::uint64_t*>(nullptr));
  // The alternate array belongs to whichever slot is being sorted: the result must be at home in its own.
  if (result == kernels::MergeResult::kAlternate) {
    check_cuda(cudaMemcpyAsync(slot.records, space.alternate_numbers, byte_count, cudaMemcpyDeviceToDevice, stream),
               "copying merged numbers");
  }
  kernels::decode_numbers(order_, slot.records, bounds.back(), stream);
  return {slot, nullptr, bounds.back(), byte_count, space.sizes.part_bytes};
}

std::vector<OutputPart> NumberSorter::parts(const SortedSlot& sorted, cudaStream_t) {
  return fixed_parts(sorted.byte_count, order_.bytes, sorted.part_bytes);
}

const std::byte* NumberSorter::gather(const SortedSlot& sorted, const OutputPart& range, std::byte*, cudaStream_t) {
  return sorted.slot.records + range.begin;
}

}  // namespace sortie::gpu
