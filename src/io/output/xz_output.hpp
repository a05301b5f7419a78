// Packs an output as xz, by liblzma's encoder and its threads, in blocks that can be unpacked by several threads. Made
// by compress_output() only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lzma.h>

#include "io/output/packed_output.hpp"

namespace sortie {

class XzOutput final : public PackedOutput {
 public:
  /// Memory that each thread that packs takes, with its bytes, at most.
  static constexpr std::uint64_t kPackerBytes = 16 << 20;

  /// `packers`: threads that pack, at least one. The bytes are the same for any number of them.
  XzOutput(std::unique_ptr<Output> target, int level, std::size_t packers);
  ~XzOutput() override { ::lzma_end(&stream_); }
  XzOutput(const XzOutput&) = delete;
  XzOutput& operator=(const XzOutput&) = delete;

  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  /// Passes on what has been packed. Returns true at the end of the stream.
  bool pack(lzma_action action);

  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::vector<std::byte> packed_;
};

}  // namespace sortie
