// Zstd inputs, unpacked while they are read. Does not use Boost.Iostreams: its filter takes a frame that is cut short
// for a complete one.
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <zstd.h>
#include <zstd_errors.h>
#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/packed_input.hpp"

namespace sortie {
namespace {

/// Bytes of the longest header that a frame may have.
constexpr std::size_t kLongestHeader = 18;

/// The library's context, and buffers.
constexpr std::uint64_t kZstdBytesBesideWindow = 1 << 20;

class ZstdInput final : public PackedInput {
 public:
  ZstdInput(ByteSource source, std::uint64_t window_bytes)
      : PackedInput(std::move(source), ZSTD_DStreamInSize()),
        window_bytes_(std::bit_floor(window_bytes)),
        context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    const std::size_t result =
        ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, std::countr_zero(window_bytes_));
    if (ZSTD_isError(result)) {
      throw Error(std::string("zstd takes no limit on its window: ") + ZSTD_getErrorName(result));
    }
  }

  std::uint64_t unpacking_bytes() const override { return window_bytes_ + kZstdBytesBesideWindow; }

 private:
  std::size_t unpack(std::span<std::byte> target) override;
  void begin_frame();
  void end_frame() const;
  void refuse_other_part() const;
  [[noreturn]] void fail(std::size_t result) const;

  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::uint64_t window_bytes_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  bool in_frame_ = false;
  bool is_first_ = true;              ///< no frame has ended
  std::uint64_t frame_bytes_ = 0;     ///< length of the frame's contents as its header says, or zstd's "unknown"
  std::uint64_t unpacked_bytes_ = 0;  ///< of this frame
};

std::size_t ZstdInput::unpack(std::span<std::byte> target) {
  if (left_.size() < (in_frame_ ? 1 : kLongestHeader) && !source_ended_) fill();
  if (!in_frame_) begin_frame();
  ZSTD_inBuffer in{left_.data(), left_.size(), 0};
  ZSTD_outBuffer out{target.data(), target.size(), 0};
  if (in.pos < in.size || in_frame_) {
    const std::size_t left_of_frame = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(left_of_frame)) fail(left_of_frame);
    in_frame_ = left_of_frame != 0;
    unpacked_bytes_ += out.pos;
    if (!in_frame_) end_frame();
    is_first_ = is_first_ && in_frame_;
  }
  const bool stands_still = in.pos == 0 && out.pos == 0;
  left_ = left_.subspan(in.pos);
  if (stands_still && source_ended_) {
    if (in_frame_) throw_damaged(path());
    context_.reset();
    end();
  }
  return out.pos;
}

void ZstdInput::begin_frame() {
  if (!is_first_) refuse_other_part();
  frame_bytes_ = ZSTD_getFrameContentSize(left_.data(), left_.size());
  unpacked_bytes_ = 0;
}

// A frame that is cut short in its magic counts as one: reading it reports the damage.
void ZstdInput::refuse_other_part() const {
  constexpr std::size_t kFrameMagicBytes = 4;
  if (left_.empty()) return;
  std::array<std::byte, kFrameMagicBytes> magic{};
  std::ranges::copy(left_.first(std::min(left_.size(), magic.size())), magic.begin());
  const std::uint32_t known =
      left_.size() < magic.size() ? (std::uint32_t{1} << (8 * left_.size())) - 1 : ~std::uint32_t{0};
  const auto begin = load_as<std::uint32_t>(magic.data());
  const bool is_skippable = ((begin ^ ZSTD_MAGIC_SKIPPABLE_START) & known & ~std::uint32_t{0xf}) == 0;
  if (((begin ^ ZSTD_MAGICNUMBER) & known) == 0 || is_skippable) return;
  throw_other_part(path(), left_.first(std::min(left_.size(), kMagicBytes)));
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

}  // namespace

std::unique_ptr<Input> make_zstd_input(ByteSource source, std::uint64_t window_bytes) {
  return std::make_unique<ZstdInput>(std::move(source), window_bytes);
}

}  // namespace sortie
