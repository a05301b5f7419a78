// Sorts of arrays that lie in device memory, from one place to another: few items in one launch, without scratch.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

#include "engine/device_functions.hpp"

namespace sortie {

/// What DeviceFunctions says of the functions of these names. Work is queued on the device that is current.
std::size_t item_sort_scratch_bytes(cuda::KeyType type, std::size_t value_bytes, std::uint64_t count);
cuda::Status sort_items(const DeviceSort& sort, const cuda::Scratch& scratch, cudaStream_t stream);

std::size_t position_sort_scratch_bytes(cuda::KeyType type, std::size_t position_bytes, std::uint64_t count);
cuda::Status sort_items_with_positions(const DeviceSort& sort, const cuda::Scratch& scratch, cudaStream_t stream);

std::size_t item_argsort_scratch_bytes(cuda::KeyType type, std::size_t position_bytes, std::uint64_t count);
cuda::Status argsort_items(const DeviceSort& sort, const cuda::Scratch& scratch, cudaStream_t stream);

std::size_t row_sort_scratch_bytes(const DeviceRowSort& sort);
cuda::Status sort_device_rows(const DeviceRowSort& sort, const cuda::Scratch& scratch, cudaStream_t stream);

cuda::Status sort_device_segments(const DeviceSegmentedSort& sort, const cuda::Scratch& scratch, cudaStream_t stream);

}  // namespace sortie
