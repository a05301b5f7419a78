// Puts columns of a table into the order of positions, all of them in one launch: numbers of 1 to 16 bytes, such as go
// with sorted keys. Rows of other sizes are records (records.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

namespace sortie::kernels {

/// In device memory. Source and target do not overlap.
struct GatheredColumn {
  const void* source;
  void* target;
  std::size_t item_bytes;
};

/// Whether gather_columns() takes it: items are of 1, 2, 4, 8 or 16 bytes, and both arrays aligned to as many.
bool is_column(const GatheredColumn& column);

/// Sets target[i] of each column to source[positions[i]], i < count. A launch for each kColumnsAtOnce. Does not
/// synchronise or allocate. Throws sortie::Error if a launch is refused. Precondition: is_column() of each.
void gather_columns(std::span<const GatheredColumn> columns, const std::uint32_t* positions, std::uint64_t count,
                    cudaStream_t stream);

inline constexpr std::size_t kColumnsAtOnce = 16;

}  // namespace sortie::kernels
