// Sorts arrays of bare numbers: no index, no gather, any count.
#pragma once

#include "engine/gpu/chunk/record_sorter.hpp"
#include "kernels/number_codec.hpp"

namespace sortie::gpu {

class NumberSorter : public RecordSorter {
 public:
  NumberSorter(const Format& format, Algorithm algorithm);

  void prepare(const DeviceSpace& space, const RunSlot& slot, const Extent& extent, const CudaStream& stream) override;
  void sort(const DeviceSpace& space, const RunSlot& slot, std::uint64_t first_record, std::uint64_t record_count,
            const CudaStream& stream) override;
  SortedSlot merge(const DeviceSpace& space, const RunSlot& slot, std::span<const std::uint64_t> bounds,
                   std::uint64_t byte_count, const CudaStream& stream) override;
  std::vector<OutputPart> parts(const SortedSlot& sorted, const CudaStream& stream) override;
  const std::byte* gather(const SortedSlot& sorted, const OutputPart& range, std::byte* target,
                          const CudaStream& stream) override;

 private:
  kernels::NumberOrder order_;
  Algorithm algorithm_;
};

}  // namespace sortie::gpu
