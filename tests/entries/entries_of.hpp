// The entries of all records of a chunk, in input order, for tests.
#pragma once

#include <vector>

#include "entries/entry.hpp"
#include "record/record_scan.hpp"

namespace sortie::test {

inline std::vector<Entry> entries_of(const ChunkRecords& records, std::uint64_t word_index) {
  std::vector<Entry> entries;
  const Layout& layout = records.order().layout();
  for_each_record(layout, records.bytes(), [&](const std::byte* record, std::uint64_t stored) {
    const auto offset = static_cast<std::uint64_t>(record - records.bytes().data());
    entries.push_back({make_location(offset, stored),
                       key_word(records.order().plan(), record, key_length(layout, stored), word_index)});
  });
  return entries;
}

}  // namespace sortie::test
