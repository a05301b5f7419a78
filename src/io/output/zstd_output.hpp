// Packs an output as zstd at its usual level with all threads. Made by compress_output() only.
//
// The bytes are cut into pieces, and each is packed by itself (RFC 8878), with what ZstdMatcher finds in it and before
// it. All are one frame, which every program that reads zstd understands: some readers stop at the end of the first.
//
//   frame header | blocks of the pieces | an empty block, the last one | checksum
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/slot_pool.hpp"
#include "io/output/packed_output.hpp"
#include "io/output/piece_buffer.hpp"

namespace sortie {

class ZstdOutput final : public PackedOutput {
 public:
  static constexpr int kLevel = 3;

  explicit ZstdOutput(std::unique_ptr<Output> target);
  ~ZstdOutput() override;

  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  class Packer;
  class Checksum;

  void pack();
  /// The packer of a slot; made for its first piece.
  Packer& packer_of(const SlotPool::Slot& slot);

  PieceBuffer unpacked_;
  SlotPool slots_;
  std::vector<std::unique_ptr<Packer>> packers_;  // one for each thread that packs, by slots
  std::vector<std::vector<std::byte>> packed_;    // pieces of one batch
  std::unique_ptr<Checksum> checksum_;
  bool has_begun_ = false;
};

}  // namespace sortie
