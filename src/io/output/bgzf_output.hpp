// Packs an output as BGZF with all threads: a sequence of small members of gzip, of which programs for genomes (tabix,
// bcftools, samtools) find and unpack each by itself. See bgzf_input.hpp for the form. Made by compress_output() only.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "io/output/packed_output.hpp"
#include "io/output/piece_buffer.hpp"

namespace sortie {

class BgzfOutput final : public PackedOutput {
 public:
  /// `level`: of deflate.
  BgzfOutput(std::unique_ptr<Output> target, int level);

  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  void pack();

  int level_;
  PieceBuffer unpacked_;
  std::vector<std::vector<std::byte>> packed_;  // blocks of one batch
};

}  // namespace sortie
