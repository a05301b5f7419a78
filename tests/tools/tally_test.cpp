// sortie-check's counts against a plain version of their definition, wherever the blocks are cut.
#include "tools/check/tally.hpp"

#include <string>

#include <gtest/gtest.h>

#include <sortie/error.hpp>
#include <sortie/format.hpp>

#include "tests/tools/text_input.hpp"
#include "tools/check/file_scan.hpp"
#include "tools/common/record_checksum.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

Tally scan_text(const std::string& text, const Format& format, std::size_t block_bytes, unsigned threads = 2) {
  TextInput input(text);
  return scan_input(input, CheckedOrder(format), {.threads = threads, .block_bytes = block_bytes});
}

Format lines() { return parse_format("lines"); }

TEST(Tally, CountsAsValsortDoes) {
  //                 0  1  2  3  4  5  6
  const Tally tally = scan_text("b\nb\nc\na\na\nz\ny\n", lines(), 1 << 20);
  EXPECT_EQ(tally.records, 7);
  EXPECT_EQ(tally.bytes, 14);
  EXPECT_EQ(tally.duplicates, 2);
  EXPECT_EQ(tally.unordered, 2);
  EXPECT_EQ(tally.first_unordered, 3);
}

TEST(Tally, EmptyInputIsInOrder) { EXPECT_EQ(scan_text("", lines(), 16), Tally()); }

TEST(Tally, ALineThatIsThePrefixOfTheNextIsLess) {
  EXPECT_EQ(scan_text("abcdefgh\nabcdefghi\nabcdefghi\n", lines(), 1 << 20).unordered, 0);
  EXPECT_EQ(scan_text("abcdefghi\nabcdefgh\n", lines(), 1 << 20).unordered, 1);
}

TEST(Tally, ReverseOrderIsOrderToo) {
  Format descending = lines();
  descending.descending = true;
  EXPECT_EQ(scan_text("c\nb\na\n", descending, 4).unordered, 0);
  EXPECT_EQ(scan_text("a\nb\n", descending, 4).first_unordered, 1);
}

TEST(Tally, LastLineWithoutDelimiterCountsAsIfItHadOne) {
  EXPECT_EQ(scan_text("a\nb", lines(), 1 << 20), scan_text("a\nb\n", lines(), 1 << 20));
  EXPECT_EQ(scan_text("a\nb", lines(), 3), scan_text("a\nb\n", lines(), 3));
}

TEST(Tally, StrayTailIsRefusedWithItsOffset) {
  try {
    scan_text(std::string(1234, 'x'), parse_format("fixed:100"), 300);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("34 stray bytes at offset 1200"), std::string::npos) << error.what();
  }
}

TEST(Tally, FieldsDecideTheOrder) {
  Format format = parse_format("fixed:4");
  format.fields = {parse_field("u16be@2")};
  EXPECT_EQ(scan_text("zz\1\1aa\1\2", format, 1 << 20).unordered, 0);
  format.fields[0].descending = true;
  EXPECT_EQ(scan_text("zz\1\1aa\1\2", format, 1 << 20).unordered, 1);
}

class EveryCut : public testing::TestWithParam<const char*> {};

TEST_P(EveryCut, BlockSizeAndThreadsDoNotChangeTheTally) {
  const std::string kind = GetParam();
  for (const auto distribution : {Distribution::kZipf, Distribution::kSorted, Distribution::kReversed}) {
    std::string text;
    make_record_source({.kind = kind, .record_count = 2000, .distribution = distribution})->generate(0, 2000, text);
    const Format format = parse_format(kind);
    const Tally whole = scan_text(text, format, 64 << 20, 1);
    EXPECT_EQ(whole.records, 2000);
    EXPECT_EQ(whole.bytes, text.size());
    for (const std::size_t block_bytes : {1, 7, 100, 4096}) {
      EXPECT_EQ(scan_text(text, format, block_bytes, 4), whole) << kind << " in blocks of " << block_bytes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryCut, testing::Values("gensort", "lines", "u32", "f64"));

TEST(Tally, ContentsAloneAreTheSameWithoutTheOrder) {
  TextInput input("b\na\n");
  const Tally tally = scan_input(input, CheckedOrder(lines()), {.depth = ScanDepth::kContents});
  EXPECT_EQ(tally.records, 2);
  EXPECT_EQ(tally.unordered, 0);
  EXPECT_EQ(tally.checksum, scan_text("a\nb\n", lines(), 1 << 20).checksum);
}

TEST(RecordChecksum, IsZlibsCrc32) {
  const std::string record = "123456789";
  EXPECT_EQ(record_crc32(std::as_bytes(std::span(record))), 0xcbf43926);
}

TEST(RecordChecksum, HexadecimalGoesThereAndBack) {
  for (const Checksum& checksum : {Checksum{}, Checksum{0x1ea6370b955, 0}, Checksum{1, 2}, Checksum{~0ULL, ~0ULL}}) {
    EXPECT_EQ(checksum_from_hex(checksum_to_hex(checksum)), checksum);
  }
  EXPECT_EQ(checksum_to_hex({1, 2}), "20000000000000001");
  EXPECT_EQ(checksum_to_hex({}), "0");
}

TEST(RecordChecksum, OtherTextIsRefused) {
  for (const char* text : {"", "0x12", "12g", " 1", "123456789012345678901234567890123"}) {
    EXPECT_THROW(checksum_from_hex(text), Error) << text;
  }
}

}  // namespace
}  // namespace sortie::tools
