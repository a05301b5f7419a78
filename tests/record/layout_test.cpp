#include "record/layout.hpp"
#include "record/record_scan.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sortie {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

const Layout kLines{0, '\n'};
const Layout kFour{4, '\n'};

TEST(Layout, FollowsTheFormat) {
  EXPECT_EQ(layout_of(parse_format("gensort")), (Layout{100, '\n'}));
  EXPECT_EQ(layout_of(parse_format("u64")), (Layout{8, '\n'}));
  Format nul_lines;
  nul_lines.delimiter = '\0';
  EXPECT_EQ(layout_of(nul_lines), (Layout{0, '\0'}));
  EXPECT_TRUE(layout_of(nul_lines).delimited());
  EXPECT_FALSE(kFour.delimited());
}

TEST(Layout, FindsTheEndOfARecord) {
  const std::string text = "ab\n\nc\n";
  const std::byte* begin = bytes_of(text).data();
  const std::byte* end = begin + text.size();
  EXPECT_EQ(stored_length(kLines, begin, end), 3u);
  EXPECT_EQ(stored_length(kLines, begin + 3, end), 1u);
  EXPECT_EQ(stored_length(kLines, begin + 4, end), 2u);
  EXPECT_EQ(stored_length(kFour, begin, end), 4u);
}

TEST(Layout, LeavesTheDelimiterOutOfTheKey) {
  EXPECT_EQ(key_length(kLines, 1), 0u);
  EXPECT_EQ(key_length(kLines, 3), 2u);
  EXPECT_EQ(key_length(kFour, 4), 4u);
}

TEST(Layout, CutsToWholeRecords) {
  EXPECT_EQ(whole_records(kLines, bytes_of("ab\ncd\nef")), 6u);
  EXPECT_EQ(whole_records(kLines, bytes_of("ab\n")), 3u);
  EXPECT_EQ(whole_records(kLines, bytes_of("ab")), 0u);
  EXPECT_EQ(whole_records(kLines, {}), 0u);
  EXPECT_EQ(whole_records(kFour, bytes_of("123456789")), 8u);
  EXPECT_EQ(whole_records(kFour, bytes_of("123")), 0u);
  EXPECT_EQ(whole_records(Layout{0, '\0'}, bytes_of(std::string("a\nb\0c", 5))), 4u);
}

TEST(Layout, FindsTheBoundaryAtOrAfterAPosition) {
  const std::string text = "ab\n\ncd\n";
  const std::size_t expected[] = {0, 3, 3, 3, 4, 7, 7, 7};
  for (std::size_t position = 0; position <= text.size(); ++position) {
    EXPECT_EQ(boundary_at_or_after(kLines, bytes_of(text), position), expected[position]) << position;
  }
  const std::string fixed = "123456789012";
  const std::size_t expected_fixed[] = {0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};
  for (std::size_t position = 0; position <= fixed.size(); ++position) {
    EXPECT_EQ(boundary_at_or_after(kFour, bytes_of(fixed), position), expected_fixed[position]) << position;
  }
}

TEST(Layout, CountsRecords) {
  EXPECT_EQ(count_records(kLines, bytes_of("a\n\nb\n")), 3u);
  EXPECT_EQ(count_records(kLines, {}), 0u);
  EXPECT_EQ(count_records(kFour, bytes_of("12345678")), 2u);
}

TEST(Layout, CountsLinesInInputsOfEveryLength) {
  // Lengths around those of a lane and of a round of counting, with as many line feeds per lane as its byte can count.
  for (const std::size_t length : {31, 32, 33, 32 * 255 - 1, 32 * 255, 32 * 255 + 1, 32 * 256, 3 * 32 * 255 + 7}) {
    EXPECT_EQ(count_records(kLines, bytes_of(std::string(length, '\n'))), length);
    std::string sparse(length, 'a');
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < length; i += 1 + i % 41) {
      sparse[i] = '\n';
      ++expected;
    }
    EXPECT_EQ(count_records(kLines, bytes_of(sparse)), expected) << length;
  }
}

TEST(Layout, FindsTheLastRecord) {
  const auto text_of = [](std::span<const std::byte> bytes) {
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  EXPECT_EQ(text_of(last_record(kLines, bytes_of("ab\n\ncd\n"))), "cd\n");
  EXPECT_EQ(text_of(last_record(kLines, bytes_of("ab\n\n"))), "\n");
  EXPECT_EQ(text_of(last_record(kLines, bytes_of("ab\n"))), "ab\n");
  EXPECT_EQ(text_of(last_record(kFour, bytes_of("12345678"))), "5678");
}

}  // namespace
}  // namespace sortie
