// The work on the device with the records of a slot: they are prepared, sorted chunk by chunk, merged, and passed out
// in order. Two kinds: one moves (prefix, index) pairs and leaves records where they are, the other moves bare numbers
// themselves.
//
// Called by one thread at a time per stream. Nothing waits for the device unless it says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/options.hpp>

#include "device/cuda_stream.hpp"
#include "device/pinned_memory.hpp"
#include "engine/gpu/chunk/device_chunk_sort.hpp"
#include "engine/gpu/chunk/device_plan.hpp"
#include "engine/gpu/chunk/device_space.hpp"
#include "kernels/number_codec.hpp"
#include "kernels/record_keys.hpp"
#include "record/key_plan.hpp"

namespace sortie::gpu {

/// Consecutive records of a slot.
struct Extent {
  std::uint64_t first_record = 0;
  std::uint64_t record_count = 0;
  std::uint64_t first_byte = 0;
  std::uint64_t byte_count = 0;
};

/// A slot whose records are in order, or will be once the stream that sorts them gets there.
struct SortedSlot {
  RunSlot slot;
  const std::uint32_t* order = nullptr;  ///< indices of the records in order; null for bare numbers
  std::uint64_t record_count = 0;
  std::uint64_t byte_count = 0;
  std::uint64_t part_bytes = 0;
};

class RecordSorter {
 public:
  virtual ~RecordSorter() = default;

  /// Finds lines and reads prefixes, or encodes numbers. Every record once, before it is sorted or merged.
  /// Bare numbers: first_record is a multiple of kChunkAlignment.
  virtual void prepare(const DeviceSpace& space, const RunSlot& slot, const Extent& extent,
                       const CudaStream& stream) = 0;

  /// Sorts one chunk of prepared records. Waits for the stream when equal prefixes may hide unequal keys.
  /// Precondition: first_record is a multiple of kChunkAlignment.
  virtual void sort(const DeviceSpace& space, const RunSlot& slot, std::uint64_t first_record,
                    std::uint64_t record_count, const CudaStream& stream) = 0;

  /// Merges sorted sequences, which make up the whole slot: sequence i is records [bounds[i], bounds[i + 1]).
  virtual SortedSlot merge(const DeviceSpace& space, const RunSlot& slot, std::span<const std::uint64_t> bounds,
                           std::uint64_t byte_count, const CudaStream& stream) = 0;

  /// How the output divides into parts. May wait for the stream.
  virtual std::vector<OutputPart> parts(const SortedSlot& sorted, const CudaStream& stream) = 0;

  /// Makes the bytes of `range` lie in order in device memory: in `target`, or where they are already.
  /// Fixed records: `range` covers whole ones. Precondition: range.bytes() <= part_bytes unless they are
  /// bare numbers.
  virtual const std::byte* gather(const SortedSlot& sorted, const OutputPart& range, std::byte* target,
                                  const CudaStream& stream) = 0;
};

/// The sorter for the format's records. Uses the current device.
std::unique_ptr<RecordSorter> make_record_sorter(const Format& format, const RecordTraits& traits, Algorithm algorithm);

/// Sorts arrays of bare numbers: no index, no gather, any count.
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

/// Sorts lines and fixed records by (prefix, index) pairs: 12 bytes a record move while sorting and merging, the
/// records once, when they are gathered for output.
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
