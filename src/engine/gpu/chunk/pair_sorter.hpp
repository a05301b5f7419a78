// Sorts lines and fixed records by (prefix, index) pairs: 12 bytes a record move while sorting and merging,
// the records once, when they are gathered for output.
#pragma once

#include "device/pinned_buffer.hpp"
#include "engine/gpu/chunk/record_sorter.hpp"
#include "kernels/record_keys.hpp"
#include "record/key_plan.hpp"

namespace sortie::gpu {

class PairSorter : public RecordSorter {
 public:
  PairSorter(const Format& format, Algorithm algorithm);

  void prepare(const DeviceSpace& space, const RunSlot& slot, const Extent& extent, const CudaStream& stream) override;
  void sort(const DeviceSpace& space, const RunSlot& slot, std::uint64_t first_record, std::uint64_t record_count,
            const CudaStream& stream) override;
  SortedSlot merge(const DeviceSpace& space, const RunSlot& slot, std::span<const std::uint64_t> bounds,
                   std::uint64_t byte_count, const CudaStream& stream) override;
  std::vector<OutputPart> parts(const SortedSlot& sorted, const CudaStream& stream) override;
  const std::byte* gather(const SortedSlot& sorted, const OutputPart& range, std::byte* target,
                          const CudaStream& stream) override;

 private:
  kernels::RecordKeys keys(const RunSlot& slot) const;
  bool lines() const { return record_bytes_ == 0; }

  KeyPlan plan_;
  std::uint64_t record_bytes_;  ///< 0: lines
  char delimiter_;
  Algorithm algorithm_;
  PinnedBuffer tied_count_;  ///< the word that refine() reports through
};

}  // namespace sortie::gpu
