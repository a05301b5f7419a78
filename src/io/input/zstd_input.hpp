// Zstd inputs, unpacked while they are read. Does not use Boost.Iostreams: its filter takes a frame that is cut short
// for a complete one. Made by make_compressed_input() only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/input/byte_source.hpp"
#include "io/input/input.hpp"

struct ZSTD_DCtx_s;

namespace sortie {

class ZstdInput final : public Input {
 public:
  /// A frame with a window of more than `window_bytes` is refused when it is reached.
  ZstdInput(ByteSource source, std::uint64_t window_bytes);

  const std::string& path() const override { return source_.path(); }
  std::size_t read(std::span<std::byte> target) override;
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::uint64_t unpacking_bytes() const override { return window_bytes_ + kBytesBesideWindow; }

 private:
  /// Returns the bytes unpacked; 0 at the end, and maybe while input is still taken in.
  std::size_t unpack(std::span<std::byte> target);
  void refill();
  void begin_frame();
  void end_frame() const;
  void refuse_other_part() const;
  [[noreturn]] void fail(std::size_t result) const;

  /// The library's context, and buffers.
  static constexpr std::uint64_t kBytesBesideWindow = 1 << 20;

  struct ContextDeleter {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  ByteSource source_;
  std::uint64_t window_bytes_;
  std::unique_ptr<ZSTD_DCtx_s, ContextDeleter> context_;  // null at the end of the input
  std::vector<std::byte> packed_;
  std::size_t packed_begin_ = 0;  ///< packed_[packed_begin_, packed_end_) is not yet unpacked
  std::size_t packed_end_ = 0;
  bool source_ended_ = false;
  bool in_frame_ = false;
  bool is_first_ = true;              ///< no frame has ended
  std::uint64_t frame_bytes_ = 0;     ///< length of the frame's contents as its header says, or zstd's "unknown"
  std::uint64_t unpacked_bytes_ = 0;  ///< of this frame
};

}  // namespace sortie
