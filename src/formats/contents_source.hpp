// Where the unpacked bytes of a file come from, header first: blocks of BGZF, which are unpacked here, or a file that
// the genomes' module makes bytes of BAM or BCF from (hts_source.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/raw_bytes.hpp"
#include "io/files/file.hpp"

namespace sortie::formats {

class ContentsSource {
 public:
  virtual ~ContentsSource() = default;

  /// Appends the next bytes, and returns true; false at the end. Parallel.
  virtual bool read(RawBytes& contents) = 0;
  /// Where in the file a byte lies, for messages; `forget_before()` has it at or in front of this.
  virtual std::string place_of(std::uint64_t contents_offset) const = 0;
  virtual void forget_before(std::uint64_t contents_offset) = 0;
};

/// How many blocks are unpacked at once where they may take so many bytes.
std::size_t blocks_of_batch(std::uint64_t buffer_bytes);

/// A file of BGZF. `buffer_bytes`: of blocks that are unpacked at once.
std::unique_ptr<ContentsSource> make_bgzf_source(std::unique_ptr<File> file, std::uint64_t buffer_bytes);

}  // namespace sortie::formats
