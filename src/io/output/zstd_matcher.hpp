// Finds in a block of bytes what was there before, for the blocks of a zstd frame that threads pack independently.
// Used by zstd_output.cpp only.
//
// As zstd does at its third level, two tables say where bytes with the same hash were seen last: eight bytes, then
// five. The result names offsets only, never "the same offset as before", and leaves the offsets 1, 4 and 8 out until
// three others were used. With these a frame begins (RFC 8878, 3.1.1.5): who writes the sequences of a block as if it
// were the first of a frame does not refer to them, so that the block is right behind any other one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#define ZSTD_STATIC_LINKING_ONLY  // for ZSTD_Sequence
#include <zstd.h>

namespace sortie {

class ZstdMatcher {
 public:
  /// Blocks are at most this long, in every frame.
  static constexpr std::size_t kMostBlockBytes = 128 << 10;
  static constexpr std::size_t kLeastMatchBytes = 4;

  ZstdMatcher();

  /// Forgets what was before, and looks at `dictionary`. The blocks follow it in memory, one behind the other, also
  /// behind an empty one; together they are shorter than 4 GiB.
  void begin(std::span<const std::byte> dictionary);

  /// What is found in the next block, in order; behind the last match come literals. Valid until the next call.
  std::span<const ZSTD_Sequence> find(std::span<const std::byte> block);

 private:
  std::vector<std::uint32_t> tables_;  // positions behind base_, by their hashes
  const std::byte* base_ = nullptr;
  std::unique_ptr<ZSTD_Sequence[]> sequences_;
};

}  // namespace sortie
