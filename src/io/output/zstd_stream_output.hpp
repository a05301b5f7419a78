// Packs an output as one frame of zstd at any level, by the library's encoder and its threads. At the usual level,
// ZstdOutput takes less time. Made by compress_output() only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/output/packed_output.hpp"
#include "io/output/zstd_context.hpp"

namespace sortie {

class ZstdStreamOutput final : public PackedOutput {
 public:
  /// Memory that each thread that packs takes, with its bytes, at most.
  static constexpr std::uint64_t kPackerBytes = 12 << 20;

  /// `packers`: threads that pack, at least one. The bytes are the same for any number of them.
  ZstdStreamOutput(std::unique_ptr<Output> target, int level, std::size_t packers);

  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  /// Returns how much is left to be done.
  std::size_t pack(ZSTD_inBuffer& bytes, ZSTD_EndDirective directive);

  ZstdContext context_;
  std::vector<std::byte> packed_;
};

}  // namespace sortie
