// Packs an output as bzip2 with all threads. Made by compress_output() only.
//
// The bytes are cut into pieces, and each is packed by itself as a stream of one block, or of two if its runs do not
// let it fit one. The blocks, which begin and end at any bit, are put one behind the other as one stream, which every
// program that reads bzip2 understands: some readers stop at the end of the first.
//
//   BZh, size of blocks | blocks of the pieces | magic of the end, checksum of the block checksums | bits up to a byte
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/output/packed_output.hpp"
#include "io/output/piece_buffer.hpp"

namespace sortie {

/// Bits one behind the other, the highest of each byte first.
class BitString {
 public:
  /// Appends the first `count` bits of `bytes`.
  void append(std::span<const std::byte> bytes, std::size_t count);
  /// Appends zeros up to the end of a byte.
  void end_byte() { used_ = 0; }

  std::span<const std::byte> whole_bytes() const {
    return std::span(bytes_).first(bytes_.size() - (used_ > 0 ? 1 : 0));
  }
  void drop_whole_bytes();

 private:
  std::vector<std::byte> bytes_;
  unsigned used_ = 0;  // bits of the last byte, unless it is a whole one
};

class Bzip2Output final : public PackedOutput {
 public:
  /// Memory that each thread that packs takes, with its pieces, at most.
  static constexpr std::uint64_t kPackerBytes = 12 << 20;

  /// `level`: of bzip2, the size of its blocks. `packers`: threads that pack, at most.
  Bzip2Output(std::unique_ptr<Output> target, int level, std::size_t packers);

  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  struct Block;

  void pack();
  void append(const Block& block);
  void write_packed();

  int level_;
  std::size_t packers_;
  PieceBuffer unpacked_;
  BitString packed_;
  std::uint32_t checksum_ = 0;  // of the checksums of all blocks so far
};

}  // namespace sortie
