// Records are found by their lengths, one after another, and cut into ranges; what is not whole is left.
#include "record/prefixed/prefixed_records.hpp"

#include <gtest/gtest.h>

#include "record/prefixed/prefixed_oracle.hpp"
#include "record/record_scan.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::PrefixedText;
using test::read_prefixed;

const Layout kLayout = layout_of(parse_format("prefixed"));

TEST(PrefixedRecords, AreFoundOneAfterAnother) {
  const std::string text = test::random_prefixed(200, 1);
  const std::vector<PrefixedText> records = read_prefixed(text);
  std::size_t count = 0;
  for_each_record(kLayout, as_bytes(text), [&](const std::byte* data, std::uint64_t stored) {
    EXPECT_EQ(as_text({data, stored}), records[count].raw);
    EXPECT_EQ(as_text(PrefixedParts({data, stored}).key), records[count].key);
    ++count;
  });
  EXPECT_EQ(count, records.size());
  EXPECT_EQ(count_records(kLayout, as_bytes(text)), records.size());
  EXPECT_EQ(as_text(last_record(kLayout, as_bytes(text))), records.back().raw);
}

TEST(PrefixedRecords, EndWhereALengthLeavesTheBytes) {
  const std::string text = test::random_prefixed(20, 2);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    std::size_t whole = 0;
    for (const PrefixedText& record : read_prefixed(text.substr(0, size))) whole += record.raw.size();
    EXPECT_EQ(whole_records(kLayout, as_bytes(text).first(size)), whole);
  }
  const std::string longest("\xff\xff\xff\xff\xff\xff\xff\xff", 8);
  EXPECT_EQ(whole_records(kLayout, as_bytes(longest + std::string(100, '\0'))), 0u);
}

TEST(PrefixedRecords, AreCutAtTheirEnds) {
  const std::string text = test::random_prefixed(50, 3);
  std::vector<std::size_t> ends = {0};
  for (const PrefixedText& record : read_prefixed(text)) ends.push_back(ends.back() + record.raw.size());
  for (std::size_t count = 0; count < ends.size(); ++count) {
    EXPECT_EQ(first_records(kLayout, as_bytes(text), count), ends[count]);
  }
  EXPECT_EQ(first_records(kLayout, as_bytes(text), ends.size() + 7), text.size());
  for (std::size_t at = 0; at <= text.size(); ++at) {
    EXPECT_EQ(boundary_at_or_after(kLayout, as_bytes(text), at), *std::ranges::lower_bound(ends, at));
  }
}

TEST(PrefixedRecords, AreCutIntoRangesOfAboutEqualSize) {
  const std::string text = test::random_prefixed(300, 4);
  for (const std::size_t wanted : {1, 2, 3, 7, 100, 100'000}) {
    const auto ranges = split_records(kLayout, as_bytes(text), wanted);
    EXPECT_LE(ranges.size(), wanted);
    std::string all;
    for (const auto range : ranges) {
      EXPECT_FALSE(range.empty());
      EXPECT_EQ(whole_records(kLayout, range), range.size());
      all += as_text(range);
    }
    EXPECT_EQ(all, text);
    EXPECT_EQ(bytes_of(ranges), text.size());
  }
  EXPECT_TRUE(split_records(kLayout, {}, 3).empty());
}

TEST(PrefixedRecords, WithoutKeyOrPayloadAreRecords) {
  const std::string text =
      test::prefixed_record("", "") + test::prefixed_record("", "p") + test::prefixed_record("k", "");
  EXPECT_EQ(count_records(kLayout, as_bytes(text)), 3u);
  const PrefixedParts last(last_record(kLayout, as_bytes(text)));
  EXPECT_EQ(as_text(last.key), "k");
  EXPECT_TRUE(last.payload.empty());
}

// As when somebody changes a mapped file.
TEST(PrefixedRecords, StayWithinBytesWhoseLengthsHaveChanged) {
  std::string text = test::random_prefixed(20, 5);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = std::exchange(text[at], '\xff');
    std::size_t bytes = 0;
    for_each_record(kLayout, as_bytes(text), [&](const std::byte* data, std::uint64_t stored) {
      const PrefixedParts parts({data, stored});
      EXPECT_LE(parts.key.size() + parts.payload.size(), stored);
      bytes += stored;
    });
    EXPECT_EQ(bytes, text.size());
    text[at] = byte;
  }
}

}  // namespace
}  // namespace sortie
