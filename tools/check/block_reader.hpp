// Cuts an input into blocks of whole records, a few megabytes each. Called by record_scan of sortie-check, from
// one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/input.hpp"
#include "record/layout.hpp"

namespace sortie::tools {

class BlockReader {
 public:
  /// Both must outlive the reader. `block_bytes` > 0; a longer record gets a larger block.
  BlockReader(Input& input, const Layout& layout, std::size_t block_bytes);

  /// The next records, in `buffer`, which grows as needed; empty at the end. A last line without its delimiter
  /// gets one, as a sort gives it. Throws Error if the input ends within a fixed-length record.
  std::span<const std::byte> next(std::vector<std::byte>& buffer);

 private:
  std::size_t complete_last_record(std::vector<std::byte>& buffer, std::size_t filled) const;

  Input& input_;
  const Layout& layout_;
  std::size_t block_bytes_;
  std::vector<std::byte> carry_;  ///< the beginning of a record whose end is not read yet
  std::uint64_t offset_ = 0;      ///< of the next block in the input
};

}  // namespace sortie::tools
