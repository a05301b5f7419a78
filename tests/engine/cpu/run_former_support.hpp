// Feeds a run former as the pipeline does, for the tests of both formers.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <mutex>
#include <string>

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

/// Drains a run, checking that parts are within `part_bytes` or a single record, and that what the consumer has looked
/// at is what comes then.
inline std::string drain(const Layout& layout, SortedRun& run, std::uint64_t part_bytes) {
  std::string bytes;
  std::mutex mutex;
  std::map<std::uint64_t, std::string> looked_at;  // by position
  const auto look = [&](std::span<const std::byte> records, std::uint64_t position) {
    const std::scoped_lock lock(mutex);
    EXPECT_FALSE(records.empty());
    EXPECT_TRUE(looked_at.try_emplace(position, as_text(records)).second) << "shown twice";
  };
  const auto take = [&](std::span<std::byte> part) {
    EXPECT_TRUE(part.size() <= part_bytes || count_records(layout, part) == 1) << part.size();
    EXPECT_FALSE(part.empty());
    const std::uint64_t begin = bytes.size();
    bytes += as_text(part);
    {
      const std::scoped_lock lock(mutex);
      std::uint64_t next = begin;
      for (auto at = looked_at.find(begin); at != looked_at.end() && at->first == next && next < bytes.size();) {
        EXPECT_EQ(bytes.substr(static_cast<std::size_t>(next), at->second.size()), at->second);
        next += at->second.size();
        at = looked_at.erase(at);
      }
      EXPECT_TRUE(next == begin || next == bytes.size()) << "all of a part is shown, or nothing";
      EXPECT_TRUE(looked_at.empty() || looked_at.begin()->first >= bytes.size());
    }
    std::ranges::fill(part, std::byte{0xee});  // consumers may change parts
  };
  run.drain(PartConsumer(take, look));
  EXPECT_TRUE(looked_at.empty());
  return bytes;
}

/// Drains a run into memory of the consumer, which has room from position `first` on, and checks that parts are made
/// there. Returns how many were.
inline std::size_t drain_into_room(SortedRun& run, std::uint64_t first, std::string& target) {
  target.assign(static_cast<std::size_t>(run.byte_count()), '?');
  std::uint64_t position = 0;
  std::size_t made_there = 0;
  const auto take = [&](std::span<std::byte> part) {
    if (part.data() == as_writable(target).data() + position) {
      ++made_there;
    } else {
      EXPECT_LT(position, first);
      target.replace(static_cast<std::size_t>(position), part.size(), as_text(part));
    }
    position += part.size();
  };
  const auto look = [](std::span<const std::byte>, std::uint64_t) {};
  const auto room = [&](std::uint64_t begin, std::uint64_t bytes, bool) {
    EXPECT_LE(begin + bytes, target.size());
    return begin < first ? std::span<std::byte>() : as_writable(target).subspan(begin, bytes);
  };
  run.drain(PartConsumer(take, look, room));
  EXPECT_EQ(position, target.size());
  return made_there;
}

}  // namespace sortie::test
