// Inputs of xz, unpacked while they are read, by liblzma: with all threads where the writer cut them into blocks. Made
// by make_compressed_input() only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lzma.h>

#include "io/input/byte_source.hpp"
#include "io/input/input.hpp"

namespace sortie {

class XzInput final : public Input {
 public:
  /// Refuses data that needs a dictionary of more than `window_bytes`, and takes fewer threads where these do not allow
  /// more.
  XzInput(ByteSource source, std::uint64_t window_bytes);
  ~XzInput() override { ::lzma_end(&stream_); }
  XzInput(const XzInput&) = delete;
  XzInput& operator=(const XzInput&) = delete;

  const std::string& path() const override { return source_.path(); }
  std::size_t read(std::span<std::byte> target) override;
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::uint64_t unpacking_bytes() const override { return limit_bytes_ + kPackedBytes; }

 private:
  /// Returns the bytes unpacked; 0 at the end, and maybe while input is still taken in.
  std::size_t unpack(std::span<std::byte> target);
  [[noreturn]] void fail(lzma_ret result) const;
  void take_more();
  void refuse_other_part() const;

  /// What the library needs beside the dictionary.
  static constexpr std::uint64_t kBytesBesideWindow = 2 << 20;
  static constexpr std::size_t kPackedBytes = 128 << 10;

  ByteSource source_;
  std::uint64_t limit_bytes_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::vector<std::byte> packed_;
  std::vector<std::byte> passed_;  ///< the last bytes that were taken in before those of packed_
  bool source_ended_ = false;
  bool ended_ = false;
};

}  // namespace sortie
