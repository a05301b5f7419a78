#include "io/input/zstd_input.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <utility>

#include <zstd.h>
#include <zstd_errors.h>
#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "base/thread_team.hpp"
#include "io/input/compression_format.hpp"

namespace sortie {
namespace {

/// Bytes of the longest header that a frame may have.
constexpr std::size_t kLongestHeader = 18;

}  // namespace

void ZstdInput::ContextDeleter::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

ZstdInput::ZstdInput(ByteSource source, std::uint64_t window_bytes)
    : source_(std::move(source)),
      window_bytes_(std::bit_floor(window_bytes)),
      context_(ZSTD_createDCtx()),
      packed_(ZSTD_DStreamInSize()) {
  if (context_ == nullptr) throw std::bad_alloc();
  const std::size_t result =
      ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, std::countr_zero(window_bytes_));
  if (ZSTD_isError(result)) throw Error(std::string("zstd takes no limit on its window: ") + ZSTD_getErrorName(result));
}

std::size_t ZstdInput::read(std::span<std::byte> target) {
  std::size_t done = 0;
  while (done < target.size() && context_) {
    throw_if_stopped();
    done += unpack(target.subspan(done, std::min(target.size() - done, kBytesBetweenStops)));
  }
  return done;
}

std::size_t ZstdInput::unpack(std::span<std::byte> target) {
  if (packed_end_ - packed_begin_ < (in_frame_ ? 1 : kLongestHeader) && !source_ended_) refill();
  if (!in_frame_) begin_frame();
  ZSTD_inBuffer in{packed_.data(), packed_end_, packed_begin_};
  ZSTD_outBuffer out{target.data(), target.size(), 0};
  if (in.pos < in.size || in_frame_) {
    const std::size_t left_of_frame = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(left_of_frame)) fail(left_of_frame);
    in_frame_ = left_of_frame != 0;
    unpacked_bytes_ += out.pos;
    if (!in_frame_) end_frame();
    is_first_ = is_first_ && in_frame_;
  }
  const bool stands_still = in.pos == packed_begin_ && out.pos == 0;
  packed_begin_ = in.pos;
  if (stands_still && source_ended_) {
    if (in_frame_) throw_damaged(path());
    context_.reset();
    packed_ = {};
  }
  return out.pos;
}

void ZstdInput::refill() {
  std::copy(packed_.data() + packed_begin_, packed_.data() + packed_end_, packed_.data());
  packed_end_ -= packed_begin_;
  packed_begin_ = 0;
  const std::span<std::byte> room = std::span(packed_).subspan(packed_end_);
  const std::size_t got = source_.read(room);
  source_ended_ = got < room.size();
  packed_end_ += got;
}

void ZstdInput::begin_frame() {
  if (!is_first_) refuse_other_part();
  frame_bytes_ = ZSTD_getFrameContentSize(packed_.data() + packed_begin_, packed_end_ - packed_begin_);
  unpacked_bytes_ = 0;
}

// A frame that is cut short in its magic counts as one: reading it reports the damage.
void ZstdInput::refuse_other_part() const {
  constexpr std::size_t kFrameMagicBytes = 4;
  const auto left = std::span<const std::byte>(packed_).first(packed_end_).subspan(packed_begin_);
  if (left.empty()) return;
  std::array<std::byte, kFrameMagicBytes> magic{};
  std::ranges::copy(left.first(std::min(left.size(), magic.size())), magic.begin());
  const std::uint32_t known =
      left.size() < magic.size() ? (std::uint32_t{1} << (8 * left.size())) - 1 : ~std::uint32_t{0};
  const auto begin = load_as<std::uint32_t>(magic.data());
  const bool is_skippable = ((begin ^ ZSTD_MAGIC_SKIPPABLE_START) & known & ~std::uint32_t{0xf}) == 0;
  if (((begin ^ ZSTD_MAGICNUMBER) & known) == 0 || is_skippable) return;
  throw_other_part(path(), left.first(std::min(left.size(), kMagicBytes)));
}

// ZSTD_decompressStream() itself does not look at the length if the frame ends in an empty block.
void ZstdInput::end_frame() const {
  if (frame_bytes_ == ZSTD_CONTENTSIZE_UNKNOWN || frame_bytes_ == ZSTD_CONTENTSIZE_ERROR) return;
  if (unpacked_bytes_ != frame_bytes_) throw_damaged(path());
}

void ZstdInput::fail(std::size_t result) const {
  if (ZSTD_getErrorCode(result) != ZSTD_error_frameParameter_windowTooLarge) throw_damaged(path());
  throw Error("cannot unpack " + quote_word(path()) + ": its zstd window takes more than " +
              std::to_string(window_bytes_ >> 20) + " MiB; " +
              (window_bytes_ < kMaxWindowBytes ? "raise the memory budget, " : "") +
              "compress it with a smaller window or pipe it in unpacked");
}

}  // namespace sortie
