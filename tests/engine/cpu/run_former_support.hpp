// Feeds a run former as the pipeline does, for the tests of both formers.
#pragma once

#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "record/record_scan.hpp"
#include "support/record_data.hpp"

namespace sortie::test {

/// Fills one run from `rest`, removes the records that it took, and checks the former's promises about pieces.
inline std::unique_ptr<SortedRun> form_run(const Layout& layout, RunFormer& former, std::string_view& rest) {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  while (!rest.empty()) {
    const std::span<std::byte> piece = former.next_piece();
    std::size_t used = 0;
    std::uint64_t count = 0;
    while (used < rest.size() && count < former.max_piece_records()) {
      const std::size_t length = layout.delimited() ? rest.find(layout.delimiter, used) + 1 - used
                                                    : static_cast<std::size_t>(layout.record_bytes);
      if (used + length > piece.size()) break;
      used += length;
      ++count;
    }
    if (count == 0) break;
    std::memcpy(piece.data(), rest.data(), used);
    former.commit_piece(used, count);
    rest.remove_prefix(used);
    records += count;
    bytes += used;
  }
  EXPECT_GT(records, 0U) << "the run takes no record";
  std::unique_ptr<SortedRun> run = former.finish_run();
  EXPECT_EQ(run->record_count(), records);
  EXPECT_EQ(run->byte_count(), bytes);
  return run;
}

/// Drains a run, checking that parts are within `part_bytes` or a single record.
inline std::string drain(const Layout& layout, SortedRun& run, std::uint64_t part_bytes) {
  std::string bytes;
  run.drain([&](std::span<std::byte> part) {
    EXPECT_TRUE(part.size() <= part_bytes || count_records(layout, part) == 1) << part.size();
    EXPECT_FALSE(part.empty());
    bytes += as_text(part);
    std::ranges::fill(part, std::byte{0xee});  // consumers may change parts
  });
  return bytes;
}

}  // namespace sortie::test
