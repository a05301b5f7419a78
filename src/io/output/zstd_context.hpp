// zstd's context for packing, and its errors as ours. Used by the outputs that pack as zstd.
#pragma once

#include <cstddef>
#include <memory>

#define ZSTD_STATIC_LINKING_ONLY  // for sequences, and what a level stands for
#include <zstd.h>

namespace sortie {

/// `result` of a function of zstd. Throws std::bad_alloc or Error if it is an error.
std::size_t checked_zstd(std::size_t result);

class ZstdContext {
 public:
  ZstdContext();

  void set(ZSTD_cParameter parameter, int value);
  ZSTD_CCtx* get() const { return context_.get(); }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ::ZSTD_freeCCtx(context); }
  };

  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace sortie
