// Packs an output as one frame of lz4 with all threads. Made by compress_output() only.
//
// Blocks are independent of one another, so that each thread packs some, with a checksum for each. The blocks that
// liblz4 makes behind the headers of frames of their own are put one behind the other.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "io/output/packed_output.hpp"
#include "io/output/piece_buffer.hpp"

namespace sortie {

class Lz4Output final : public PackedOutput {
 public:
  /// `level`: as the program lz4 takes it; from 3 on it packs harder and takes longer.
  Lz4Output(std::unique_ptr<Output> target, int level);

  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  void begin();
  void pack();

  int level_;
  PieceBuffer unpacked_;
  std::vector<std::vector<std::byte>> packed_;  // blocks of one batch
  bool has_begun_ = false;
};

}  // namespace sortie
