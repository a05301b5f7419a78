// What ChunkEntries finds out about a chunk while its records come in.
#include "entries/chunk_entries.hpp"

#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "entries/chunk_sorting.hpp"
#include "support/record_data.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;
using Sequence = ChunkEntries::Sequence;

Sequence sequence_of(const Format& format, const std::string& bytes, std::size_t piece_bytes = 1 << 20) {
  std::vector<Entry> memory;
  return finished_entries(RecordOrder(format), bytes, piece_bytes, memory).sequence;
}

// Lines of `count` numbers from `first` on, all of the same length.
std::string numbered_lines(int first, int count, int step, const std::string& prefix = "line ") {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += prefix + std::to_string(1'000'000 + first + i * step) + "\n";
  return bytes;
}

TEST(ChunkEntries, FindWhatIsInOrder) {
  const std::string ascending = numbered_lines(0, 50'000, 1);
  for (const std::size_t piece_bytes : {1'000, 100'000, 10'000'000}) {
    EXPECT_EQ(sequence_of(parsed("lines"), ascending, piece_bytes), Sequence::kAscending);
    EXPECT_EQ(sequence_of(parsed("lines", {}, true), ascending, piece_bytes), Sequence::kDescending);
  }
  EXPECT_EQ(sequence_of(parsed("lines"), std::string(40'000, '\n')), Sequence::kAscending);
  EXPECT_EQ(sequence_of(parsed("lines"), "one\n"), Sequence::kAscending);
}

TEST(ChunkEntries, FindWhatIsInReverseOrder) {
  const std::string descending = numbered_lines(50'000, 50'000, -1);
  for (const std::size_t piece_bytes : {1'000, 100'000, 10'000'000}) {
    EXPECT_EQ(sequence_of(parsed("lines"), descending, piece_bytes), Sequence::kDescending);
    EXPECT_EQ(sequence_of(parsed("lines", {}, true), descending, piece_bytes), Sequence::kAscending);
  }
}

TEST(ChunkEntries, AreNotMisledByOneRecordOutOfPlace) {
  const std::string middle = numbered_lines(20'000, 1, 1);
  for (const std::size_t piece_bytes : {1'000, 100'000, 10'000'000}) {
    EXPECT_EQ(sequence_of(parsed("lines"), numbered_lines(0, 50'000, 1) + middle, piece_bytes), Sequence::kNone);
    EXPECT_EQ(sequence_of(parsed("lines"), middle + numbered_lines(0, 50'000, 1), piece_bytes), Sequence::kNone);
    EXPECT_EQ(sequence_of(parsed("lines"), numbered_lines(50'000, 50'000, -1) + middle, piece_bytes), Sequence::kNone);
  }
}

// Batches in order are scattered late, and only if others are not.
TEST(ChunkEntries, AreDealtIfOnlySomeBatchesAreInOrder) {
  const RecordOrder order(parsed("lines"));
  const std::string mixed = numbered_lines(0, 50'000, 1) + numbered_lines(20'000, 20'000, -1);
  for (const std::string& lines : {mixed, mixed + "a stranger\n", numbered_lines(0, 40'000, 1) + mixed}) {
    std::vector<Entry> memory;
    const auto finished = finished_entries(order, lines, 100'000, memory);
    ASSERT_EQ(finished.sequence, Sequence::kNone);
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < finished.buckets.bucket_count(); ++i) {
      std::uint64_t found = 0;
      for (const std::span<Entry> stretch : finished.buckets.stretches(i)) found += stretch.size();
      ASSERT_EQ(found, finished.buckets.sizes[i].entries);
      entries += found;
      bytes += finished.buckets.sizes[i].bytes;
    }
    EXPECT_EQ(entries, static_cast<std::uint64_t>(std::ranges::count(lines, '\n')));
    EXPECT_EQ(bytes, lines.size());
  }
}

TEST(ChunkEntries, TellEqualPrefixesApart) {
  EXPECT_EQ(sequence_of(parsed("lines"), "prefix 1 b\nprefix 1 a\n"), Sequence::kDescending);
  EXPECT_EQ(sequence_of(parsed("lines"), "prefix 1 a\nprefix 1 b\nprefix 1 a\n"), Sequence::kNone);
  // Equal keys in reverse order would not keep their input order.
  EXPECT_EQ(sequence_of(parsed("fixed:2", {"bytes@0:1"}), "c1b1b2a1"), Sequence::kNone);
  EXPECT_EQ(sequence_of(parsed("fixed:2", {"bytes@0:1"}), "c1b1a1"), Sequence::kDescending);
}

TEST(ChunkEntries, HoldTheWordsBehindThoseInCommon) {
  std::vector<Entry> memory;
  const RecordOrder order(parsed("lines"));
  EXPECT_EQ(finished_entries(order, lines_with_prefix(10'000, 17), 1 << 20, memory).buckets.word_index, 2U);
  const std::string stranger = lines_with_prefix(10'000, 17) + "stranger\n";
  EXPECT_EQ(finished_entries(order, stranger, 1 << 16, memory).buckets.word_index, 0U);
}

// The first piece alone knows nothing of what comes behind it.
TEST(ChunkEntries, AreDealtEvenlyBySplittersOfASample) {
  const RecordOrder order(parsed("lines"));
  const std::string lines = numbered_lines(0, 200'000, 1, "") + numbered_lines(0, 1, 1, "");
  const std::string sample = numbered_lines(0, 1'000, 200, "");
  const auto largest_bucket = [&](std::span<const std::byte> sampled) {
    std::vector<Entry> memory;
    const auto finished = finished_entries(order, lines, 100'000, memory, sampled);
    return std::ranges::max(finished.buckets.sizes, {}, &BucketSize::entries).entries;
  };
  EXPECT_LT(largest_bucket(as_bytes(sample)), 20'000U);
  EXPECT_GT(largest_bucket({}), 180'000U) << "the test shows nothing";
}

TEST(ChunkEntries, CountBucketsExactly) {
  const Format format = parsed("lines");
  const RecordOrder order(format);
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    const std::string bytes = make_records(format, distribution, 60'000);
    std::vector<Entry> memory;
    const BucketRow row = finished_entries(order, bytes, 1 << 18, memory).buckets;
    const ChunkRecords records(order, as_bytes(bytes));
    for (std::size_t b = 0; b < row.bucket_count(); ++b) {
      BucketSize size;
      for (const std::span<Entry> stretch : row.stretches(b)) {
        for (const Entry& entry : stretch) size.bytes += records[entry].size();
        size.entries += stretch.size();
      }
      EXPECT_EQ(size.entries, row.sizes[b].entries);
      EXPECT_EQ(size.bytes, row.sizes[b].bytes);
    }
  }
}

// Records may lie in a mapped file, which somebody changes between two looks at it.
TEST(ChunkEntries, RefuseMoreRecordsThanWereCounted) {
  const RecordOrder order(parsed("lines"));
  const std::string bytes = make_records(parsed("lines"), Distribution::kUniform, 40'000);
  std::vector<Entry> memory(40'000, Entry{1, 2});
  const std::span<Entry> room = std::span(memory).first(39'000);
  ChunkEntries entries(order);
  EXPECT_THROW(entries.add(as_bytes(bytes), as_bytes(bytes), room, room.size()), Error);
  for (const Entry& entry : std::span(memory).subspan(room.size())) EXPECT_EQ(entry, (Entry{1, 2}));
}

TEST(ChunkEntries, KeepTheLengthOfALongRecordThatChanges) {
  const RecordOrder order(parsed("lines"));
  const std::string longest(kLongRecord + 5, 'x');
  std::string bytes = longest + "\n" + longest + "\na\n";
  std::vector<Entry> memory;
  ChunkEntries::Finished finished = finished_entries(order, bytes, bytes.size(), memory);
  bytes[longest.size()] = 'x';  // the first line has grown
  bytes[longest.size() + kLongRecord] = '\n';
  std::vector<Entry> scratch(memory.size());
  PartMaker parts(order, as_writable(bytes), std::move(finished), scratch);
  std::string part(bytes.size() + 100, '?');
  const auto ignore = [](std::span<const std::byte>, std::size_t) {};
  EXPECT_EQ(parts.next(as_writable(part).first(bytes.size()), ignore).size(), bytes.size());
  EXPECT_EQ(part.substr(bytes.size()), std::string(100, '?'));
}

}  // namespace
}  // namespace sortie
