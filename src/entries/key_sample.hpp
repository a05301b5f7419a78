// Samples of records. ChunkEntries learns from those of a chunk which words all its keys begin with, and cuts its
// buckets by the word behind them. Merges learn from those of sorted ranges where to cut the ranges (split_window()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entries/entry.hpp"
#include "entries/splitters.hpp"

namespace sortie {

/// The records that begin at `first` and at every `stride` bytes behind it, or next behind these places. Takes a long
/// record only once. Preconditions: bytes are whole records, not quoted; `stride` is at least 1.
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
