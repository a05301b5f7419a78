// Cuts an input into blocks of whole records, a few megabytes each. Called by file_scan of sortie-check, from one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/input/input.hpp"
#include "record/layout.hpp"

namespace sortie::tools {

class BlockReader {
 public:
  /// Both must outlive the reader. `block_bytes` > 0; a longer record gets a larger block.
  BlockReader(Input& input, const Layout& layout, std::size_t block_bytes);

  /// Reads the next records into `buffer`, which grows as needed. Returns an empty span at the end. A last line
  /// without a delimiter gets one, as in a sort. Throws Error if the input ends within a fixed-length or
  /// length-prefixed record.
  std::span<const std::byte> next(std::vector<std::byte>& buffer);

 private:
  std::size_t complete_last_record(std::vector<std::byte>& buffer, std::size_t filled) const;

  Input& input_;
  const Layout& layout_;
  std::size_t block_bytes_;
  std::vector<std::byte> carry_;  ///< the beginning of a record whose end is not read yet
  std::uint64_t offset_ = 0;      ///< where the next block begins in the input
};

}  // namespace sortie::tools
