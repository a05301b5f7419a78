// Reads a whole input once, in parallel and in bounded memory, and tallies it. Called by sortie_check.cpp.
#pragma once

#include <string>

#include "io/input/input.hpp"
#include "tools/check/tally.hpp"

namespace sortie::tools {

enum class ScanDepth : std::uint8_t {
  kContents,  ///< counts records and bytes, and makes the checksum
  kOrder,     ///< also finds duplicates and disorder
};

struct ScanOptions {
  ScanDepth depth = ScanDepth::kOrder;
  unsigned threads = 0;               ///< 0 for all
  std::size_t block_bytes = 4 << 20;  ///< read at a time; memory use is about two blocks per thread
};

/// Throws Error if the input cannot be read or does not consist of whole records.
Tally scan_input(Input& input, const CheckedOrder& order, const ScanOptions& options);

}  // namespace sortie::tools
