// Sorts a chunk as RecordRunFormer does, for the tests of its parts.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "entries/chunk_entries.hpp"
#include "entries/part_maker.hpp"
#include "record/record_scan.hpp"
#include "support/record_data.hpp"

namespace sortie::test {

struct ChunkMemory {
  std::size_t piece_bytes = ~std::size_t{0};  ///< bytes added at a time, at least one record
  std::size_t part_bytes = 64 << 10;
  std::size_t scratch_entries = 4096;
};

/// Adds the records of `bytes` piece by piece. Their entries go to `memory`, which is poisoned first.
inline ChunkEntries::Finished finished_entries(const RecordOrder& order, const std::string& bytes,
                                               std::size_t piece_bytes, std::vector<Entry>& memory,
                                               std::span<const std::byte> sample = {}) {
  const std::span<const std::byte> chunk = as_bytes(bytes);
  const std::uint64_t count = count_records(order.layout(), chunk);
  memory.assign(count, Entry{~std::uint64_t{0}, 0});
  ChunkEntries entries(order, sample);
  std::span<Entry> free = memory;
  for (std::size_t begin = 0; begin < chunk.size();) {
    const std::size_t wanted = begin + std::min(chunk.size() - begin, piece_bytes);
    const std::size_t end = boundary_at_or_after(order.layout(), chunk, wanted);
    const std::span<const std::byte> piece = chunk.subspan(begin, end - begin);
    const std::uint64_t records = count_records(order.layout(), piece);
    entries.add(chunk.first(end), piece, free.last(records), count);
    free = free.first(free.size() - records);
    begin = end;
  }
  return entries.finish(chunk);
}

/// All parts of the sorted chunk, one after another.
inline std::string sorted_chunk(const Format& format, const std::string& bytes, const ChunkMemory& memory = {}) {
  if (bytes.empty()) return {};
  const RecordOrder order(format);
  std::vector<Entry> entries;
  ChunkEntries::Finished finished = finished_entries(order, bytes, memory.piece_bytes, entries);
  if (finished.sequence == ChunkEntries::Sequence::kAscending) return bytes;
  std::vector<Entry> scratch(memory.scratch_entries);
  std::string chunk = bytes;
  PartMaker parts(order, as_writable(chunk), std::move(finished), scratch);
  std::string part(memory.part_bytes, '?');
  std::string sorted;
  while (true) {
    std::mutex mutex;
    std::map<std::size_t, std::string> looked_at;  // by offset
    const std::span<std::byte> made =
        parts.next(as_writable(part), [&](std::span<const std::byte> records, std::size_t offset) {
          const std::scoped_lock lock(mutex);
          looked_at[offset] = as_text(records);
        });
    if (made.empty()) return sorted;
    std::string seen;
    for (const auto& [offset, records] : looked_at) {
      EXPECT_EQ(offset, seen.size());
      seen += records;
    }
    EXPECT_TRUE(looked_at.empty() || seen == as_text(made)) << "all of a part is shown, or nothing";
    sorted += as_text(made);
    std::ranges::fill(made, std::byte{0xee});
  }
}

}  // namespace sortie::test
