// Reads a whole input once, in parallel and in bounded memory, and tallies it. Called by sortie_check.cpp.
#pragma once

#include <string>

#include "io/input.hpp"
#include "record/record_order.hpp"
#include "tools/check/tally.hpp"

namespace sortie::tools {

enum class ScanDepth : std::uint8_t {
  kContents,  ///< records, bytes and checksum
  kOrder,     ///< duplicates and disorder as well
};

struct ScanOptions {
  ScanDepth depth = ScanDepth::kOrder;
  unsigned threads = 0;               ///< 0: all
  std::size_t block_bytes = 4 << 20;  ///< read at a time; memory is about two blocks a thread
};

/// Throws Error if the input cannot be read or does not consist of whole records.
Tally scan_input(Input& input, const RecordOrder& order, const ScanOptions& options);

}  // namespace sortie::tools
