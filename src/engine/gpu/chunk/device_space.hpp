// The arena, carved: where in device memory the arrays of run slots lie, and those of the sort, which the slots share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/device_memory.hpp"
#include "engine/gpu/chunk/device_plan.hpp"
#include "kernels/record_keys.hpp"
#include "kernels/records.hpp"

namespace sortie::gpu {

/// Room for the records of one run, or of one window, and for what their output needs.
struct RunSlot {
  std::byte* records = nullptr;
  std::uint64_t* line_offsets = nullptr;    ///< lines: one more than records
  std::uint64_t* output_offsets = nullptr;  ///< lines: of the sorted lines, one more than records
  kernels::LineCut* cuts = nullptr;         ///< lines: cut_count() of them
  std::uint32_t* order = nullptr;           ///< the sorted indices; only where slots share the pairs
};

struct DeviceSpace {
  DeviceSizes sizes;
  std::vector<RunSlot> slots;
  kernels::PrefixPairs primary;  ///< slot_records pairs each; not for bare numbers
  kernels::PrefixPairs alternate;
  std::byte* alternate_numbers = nullptr;  ///< bare numbers: slot_bytes
  std::uint64_t* sequence_offsets = nullptr;
  std::byte* scratch = nullptr;
  std::array<std::byte*, 2> parts = {};  ///< not for bare numbers: they leave from their slot
};

/// Carves what device_bytes() counted. Throws DeviceMemoryError if the arena has less.
DeviceSpace carve_space(Arena& arena, const RecordTraits& traits, const DeviceSizes& sizes);

}  // namespace sortie::gpu
