#include "io/zstd_input.hpp"

#include <new>
#include <utility>

#include <zstd.h>
#include <zstd_errors.h>
#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "io/compressed_input.hpp"

namespace sortie {

ZstdInput::ZstdInput(ByteSource source)
    : source_(std::move(source)), context_(ZSTD_createDCtx()), packed_(ZSTD_DStreamInSize()) {
  if (context_ == nullptr) throw std::bad_alloc();
}

ZstdInput::~ZstdInput() { ZSTD_freeDCtx(context_); }

std::size_t ZstdInput::read(std::span<std::byte> target) {
  std::size_t done = 0;
  while (done < target.size() && !finished_) done += unpack(target.subspan(done));
  return done;
}

std::size_t ZstdInput::unpack(std::span<std::byte> target) {
  if (packed_begin_ == packed_end_ && !source_ended_) {
    packed_begin_ = 0;
    packed_end_ = source_.read(packed_);
    source_ended_ = packed_end_ < packed_.size();
  }
  ZSTD_inBuffer in{packed_.data(), packed_end_, packed_begin_};
  ZSTD_outBuffer out{target.data(), target.size(), 0};
  if (in.pos < in.size || in_frame_) {
    const std::size_t left_of_frame = ZSTD_decompressStream(context_, &out, &in);
    if (ZSTD_isError(left_of_frame)) fail(left_of_frame);
    in_frame_ = left_of_frame != 0;
  }
  const bool stands_still = in.pos == packed_begin_ && out.pos == 0;
  packed_begin_ = in.pos;
  if (stands_still && source_ended_) {
    if (in_frame_) throw_damaged(path());
    finished_ = true;
  }
  return out.pos;
}

void ZstdInput::fail(std::size_t result) const {
  if (ZSTD_getErrorCode(result) != ZSTD_error_frameParameter_windowTooLarge) throw_damaged(path());
  throw Error("cannot unpack " + quote_word(path()) +
              ": its zstd window takes more than 128 MiB; compress it without --long or pipe it in unpacked");
}

}  // namespace sortie
