// Packs an output as gzip with all threads. Made by compress_output() only.
//
// The bytes are cut into pieces, and each is packed by itself (RFC 1951) with the 32 KiB before it as its dictionary,
// so that nearly nothing is lost by the cuts. Each piece but the last ends at a byte, with an empty stored block. One
// behind the other they are one member (RFC 1952), which every program that reads gzip understands; the checksum of the
// whole is put together from those of the pieces. This is how pigz does it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/output/packed_output.hpp"
#include "io/output/piece_buffer.hpp"

namespace sortie {

class GzipOutput final : public PackedOutput {
 public:
  /// `level`: of deflate.
  GzipOutput(std::unique_ptr<Output> target, int level);

  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  enum class Position { kInside, kAtEnd };

  void pack(Position position);

  int level_;
  PieceBuffer unpacked_;
  std::vector<std::vector<std::byte>> packed_;  // pieces of one batch
  std::uint32_t checksum_ = 0;                  // CRC-32 of what is packed
  std::uint64_t packed_from_bytes_ = 0;         // how long that was before
};

}  // namespace sortie
