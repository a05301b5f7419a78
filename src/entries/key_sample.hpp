// Samples a chunk's keys: finds the words that all of them begin with, and splitters by the word behind those. Used by
// ChunkEntries.
#pragma once

#include <cstdint>
#include <vector>

#include "entries/entry.hpp"
#include "entries/splitters.hpp"

namespace sortie {

struct KeySample {
  std::vector<std::uint64_t> in_common;  ///< words that all sampled keys begin with; none if they are all equal
  Splitters splitters;                   ///< splitters by the word behind those
};

/// `expected_records`: how many records the splitters will deal, roughly; more of them give more splitters.
/// Precondition: there is a record.
KeySample sample_keys(const ChunkRecords& records, std::uint64_t expected_records);

/// Splitters by the first word alone.
Splitters sample_first_words(const ChunkRecords& records, std::uint64_t expected_records);

/// How many splitters `entry_count` entries are worth.
std::size_t wanted_splitters(std::uint64_t entry_count);

}  // namespace sortie
