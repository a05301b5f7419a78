// How values of any size travel with their keys: those of 4 and 8 bytes in the sort itself; for others, 4-byte
// positions are sorted in their place, and then the values are gathered once. Sorts and merges use it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_arrays.hpp>

#include "cuda/device_call.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/positions.hpp"
#include "kernels/records.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::cuda {

/// Whether values of this size move by way of their positions.
constexpr bool moves_positions(std::size_t value_bytes) {
  return value_bytes != 0 && value_bytes != 4 && value_bytes != 8;
}

/// Scratch of a sort in place.
struct SortScratch {
  SortScratch(std::size_t key_bytes, std::size_t value_bytes, std::uint64_t count, std::uint64_t kernel_bytes,
              void* area = nullptr)
      : layout(area) {
    const bool by_position = moves_positions(value_bytes);
    alternate_keys = layout.take<std::byte>(count * key_bytes);
    alternate_values = layout.take<std::byte>(count * value_bytes);
    positions = layout.take<std::uint32_t>(by_position ? count : 0);
    alternate_positions = layout.take<std::uint32_t>(by_position ? count : 0);
    kernel = layout.take<std::byte>(kernel_bytes);
  }

  kernels::ScratchLayout layout;
  std::byte* alternate_keys;
  std::byte* alternate_values;
  std::uint32_t* positions;
  std::uint32_t* alternate_positions;
  std::byte* kernel;
};

/// Calls sort(values, alternate_values), which sorts keys with values of such a type into the first array. NoValue*
/// stands for none.
template <class Sort>
void sort_with_values(const Values& values, std::uint64_t count, const SortScratch& scratch, cudaStream_t stream,
                      const Sort& sort) {
  switch (values.bytes) {
    case 0: {
      kernels::NoValue* const none = nullptr;
      return sort(none, none);
    }
    case 4:
      return sort(static_cast<std::uint32_t*>(values.data), reinterpret_cast<std::uint32_t*>(scratch.alternate_values));
    case 8:
      return sort(static_cast<std::uint64_t*>(values.data), reinterpret_cast<std::uint64_t*>(scratch.alternate_values));
    default:
      kernels::fill_positions(scratch.positions, count, stream);
      sort(scratch.positions, scratch.alternate_positions);
      copy_within_device(scratch.alternate_values, values.data, count * values.bytes, stream);
      kernels::gather_fixed(scratch.alternate_values, values.bytes, scratch.positions, count,
                            static_cast<std::byte*>(values.data), stream);
  }
}

/// The alignment that values of this size need.
constexpr unsigned value_alignment(std::size_t value_bytes) { return moves_positions(value_bytes) ? 1 : 16; }

}  // namespace sortie::cuda
