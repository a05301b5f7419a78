// What takes alignments as the bytes of BAM, header first, and makes a file of them. BAM itself is written here
// (bam_output.hpp); SAM and CRAM by a module (hts_sink.hpp).
#pragma once

#include <cstddef>
#include <span>

namespace sortie::formats::alignments {

class BamSink {
 public:
  virtual ~BamSink() = default;

  /// Takes whole records. Parallel.
  virtual void write(std::span<const std::span<const std::byte>> records) = 0;
  /// Puts the complete file in its place.
  virtual void finish() = 0;
};

}  // namespace sortie::formats::alignments
