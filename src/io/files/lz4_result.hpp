// What functions of liblz4 return, looked at once for those that unpack and those that pack.
#pragma once

#include <cstddef>
#include <new>
#include <string_view>

#include <lz4frame.h>

namespace sortie {

/// Whether `result` is an error of other kinds than a lack of memory, for which it throws std::bad_alloc.
inline bool is_lz4_error(std::size_t result) {
  if (!LZ4F_isError(result)) return false;
  if (std::string_view(LZ4F_getErrorName(result)) == "ERROR_allocation_failed") throw std::bad_alloc();
  return true;
}

}  // namespace sortie
