#include "io/output/zstd_context.hpp"

#include <new>
#include <string>

#include <zstd_errors.h>
#include <sortie/error.hpp>

namespace sortie {

std::size_t checked_zstd(std::size_t result) {
  if (::ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (::ZSTD_isError(result) != 0) {
    throw Error(std::string("cannot compress the output: ") + ::ZSTD_getErrorName(result));
  }
  return result;
}

ZstdContext::ZstdContext() : context_(::ZSTD_createCCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
}

void ZstdContext::set(ZSTD_cParameter parameter, int value) {
  checked_zstd(::ZSTD_CCtx_setParameter(context_.get(), parameter, value));
}

}  // namespace sortie
