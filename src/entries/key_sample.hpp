// Samples of records: those of a chunk tell the words that all its keys begin with, and splitters by the word behind
// those (ChunkEntries); those of sorted ranges tell where merges cut them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entries/entry.hpp"
#include "entries/splitters.hpp"

namespace sortie {

/// Records about every `stride` bytes, at `first` or behind it to begin with, a long record only once. Precondition:
/// bytes are whole records, not quoted.
std::vector<Record> sample_records(const Layout& layout, std::span<const std::byte> bytes, std::size_t first,
                                   std::size_t stride);

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
