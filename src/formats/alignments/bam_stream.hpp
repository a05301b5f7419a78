// Alignments as the bytes of BAM, header first, whatever form their file has: what comes from a file, and what goes to
// one. BAM itself is read and written here; SAM and CRAM by a module (genomes_module.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/alignments/bam_header.hpp"
#include "formats/bgzf/block_reader.hpp"
#include "io/files/file.hpp"

namespace sortie::formats::alignments {

class BamSource {
 public:
  virtual ~BamSource() = default;

  /// Appends the next bytes, and returns true; false at the end. Parallel.
  virtual bool read(RawBytes& contents) = 0;
  /// Where in the file a byte lies, for messages; `forget_before()` has it at or in front of this.
  virtual std::string place_of(std::uint64_t contents_offset) const = 0;
  virtual void forget_before(std::uint64_t contents_offset) = 0;
};

class BamSink {
 public:
  virtual ~BamSink() = default;

  virtual void begin(const BamHeader& header) = 0;
  /// Takes whole records. Parallel.
  virtual void write(std::span<const std::span<const std::byte>> records) = 0;
  /// Puts the complete file in its place.
  virtual void finish() = 0;
};

/// How many blocks are unpacked at once where they may take so many bytes.
std::size_t blocks_of_batch(std::uint64_t buffer_bytes);

/// A file of BAM. `buffer_bytes`: of blocks that are unpacked at once.
std::unique_ptr<BamSource> make_bgzf_source(std::unique_ptr<File> file, std::uint64_t buffer_bytes);

}  // namespace sortie::formats::alignments
