// Headers of alignments: what a sort writes into them, and how several become one.
#include <gtest/gtest.h>

#include <span>
#include <string_view>

#include "formats/alignments/alignment_begin.hpp"
#include "formats/alignments/header_merge.hpp"
#include "formats/alignments/header_text.hpp"
#include "support/alignment_data.hpp"

namespace sortie::formats::alignments {
namespace {

TEST(HeaderText, ChangesTheOrderWhereItStands) {
  HeaderText text("@HD\tVN:1.4\tGO:query\tSO:unsorted\tSS:x\n@CO\tSO:unsorted\n");
  text.set_sort_order({"coordinate", "", ""});
  EXPECT_EQ(text.text(), "@HD\tVN:1.4\tSO:coordinate\n@CO\tSO:unsorted\n");
  text.set_sort_order({"unsorted", "query", "unsorted:template-coordinate"});
  EXPECT_EQ(text.lines()[0], "@HD\tVN:1.4\tSO:unsorted\tGO:query\tSS:unsorted:template-coordinate");
  HeaderText none("@CO\tx\r\n");
  none.set_sort_order({"queryname", "", ""});
  EXPECT_EQ(none.text(), "@HD\tVN:1.6\tSO:queryname\n@CO\tx\n");
}

TEST(HeaderText, PutsTheLineWithTheOrderInFront) {
  HeaderText text("@CO\tx\n@SQ\tSN:a\tLN:1\n@HD\tVN:1.4\n@CO\ty\n");
  text.set_sort_order({"coordinate", "", ""});
  EXPECT_EQ(text.text(), "@HD\tVN:1.4\tSO:coordinate\n@CO\tx\n@SQ\tSN:a\tLN:1\n@CO\ty\n");
}

TEST(AlignmentBegin, ShowsSamByAnyLineOfAHeader) {
  const auto is_sam = [](std::string_view text) { return begins_sam({std::as_bytes(std::span(text))}); };
  for (const char* const line : {"@HD\tVN:1.6", "@SQ\tLN:5\tSN:a", "@RG\tID:x", "@PG\tID:x", "@CO\tany text"}) {
    EXPECT_TRUE(is_sam(line)) << line;
  }
  for (const char* const line : {"", "@", "@HD", "@HD\tVN", "@HD VN:1.6", "@XX\tVN:1.6", "HD\tVN:1.6", "@COMMENT\tx"}) {
    EXPECT_FALSE(is_sam(line)) << line;
  }
}

TEST(HeaderText, AddsAProgramToEachChain) {
  HeaderText text("@PG\tID:a\n@PG\tID:sortie\tPP:a\n@PG\tID:c\n@CO\tx\n");
  text.add_program("sortie", "1.0", "sortie\ta\nb");
  EXPECT_EQ(text.text(),
            "@PG\tID:a\n@PG\tID:sortie\tPP:a\n@PG\tID:c\n"
            "@PG\tID:sortie.1\tPN:sortie\tPP:sortie\tVN:1.0\tCL:sortie a b\n"
            "@PG\tID:sortie.2\tPN:sortie\tPP:c\tVN:1.0\tCL:sortie a b\n@CO\tx\n");
  HeaderText first("@CO\tx\n");
  first.add_program("sortie", "1.0", "");
  EXPECT_EQ(first.text(), "@CO\tx\n@PG\tID:sortie\tPN:sortie\tVN:1.0\n");
}

TEST(HeaderText, GetsReferencesThatItLacks) {
  EXPECT_EQ(test::header_of("@SQ\tSN:b\tLN:2\n", {{"a", 1}, {"b", 2}}).text.text(),
            "@SQ\tSN:b\tLN:2\n@SQ\tSN:a\tLN:1\n");
}

TEST(HeaderMerge, GivesSuffixesToNamesThatComeAgain) {
  const auto merged =
      merge_headers({test::header_of("@HD\tVN:1.4\n@RG\tID:x\tPG:p\n@PG\tID:p\n@CO\t1\n", {{"a", 1}, {"b", 2}}),
                     test::header_of("@HD\tVN:1.5\n@RG\tID:x\tPG:q\n@RG\tID:y\n@PG\tID:p\n@PG\tID:q\tPP:p\n@CO\t2\n",
                                     {{"b", 2}, {"c", 3}})});
  EXPECT_EQ(
      merged.header.text.text(),
      "@HD\tVN:1.4\n@SQ\tSN:a\tLN:1\n@SQ\tSN:b\tLN:2\n@SQ\tSN:c\tLN:3\n"
      "@RG\tID:x\tPG:p\n@RG\tID:x-2\tPG:q\n@RG\tID:y\n@PG\tID:p\n@PG\tID:p-2\n@PG\tID:q\tPP:p-2\n@CO\t1\n@CO\t2\n");
  EXPECT_EQ(merged.translations[1].references, (std::vector<std::int32_t>{1, 2}));
}

TEST(HeaderMerge, CombinesLinesOfOneIdIfAsked) {
  const std::vector<BamHeader> headers = {
      test::header_of("@RG\tID:x\tPG:p\n@PG\tID:p\n", {{"a", 1}}),
      test::header_of("@RG\tID:x\tPG:q\n@RG\tID:y\tPG:p\n@PG\tID:p\tVN:2\n@PG\tID:q\tPP:p\n", {{"a", 1}})};
  const std::string begin = "@SQ\tSN:a\tLN:1\n";
  const auto both = merge_headers(headers, parse_combined("both"));
  EXPECT_EQ(both.header.text.text(), begin + "@RG\tID:x\tPG:p\n@RG\tID:y\tPG:p\n@PG\tID:p\n@PG\tID:q\tPP:p\n");
  EXPECT_EQ(both.translations[1].read_groups.at("x"), "x");
  EXPECT_EQ(both.translations[1].programs.at("p"), "p");
  const auto groups = merge_headers(headers, parse_combined("rg"));
  EXPECT_EQ(groups.header.text.text(),
            begin + "@RG\tID:x\tPG:p\n@RG\tID:y\tPG:p-2\n@PG\tID:p\n@PG\tID:p-2\tVN:2\n@PG\tID:q\tPP:p-2\n");
  const auto programs = merge_headers(headers, parse_combined("pg"));
  EXPECT_EQ(programs.header.text.text(), begin +
                                             "@RG\tID:x\tPG:p\n@RG\tID:x-2\tPG:q\n@RG\tID:y\tPG:p\n@PG\tID:p\n"
                                             "@PG\tID:q\tPP:p\n");
  EXPECT_THROW(parse_combined("all"), Error);
}

TEST(HeaderMerge, MakesEachFileAReadGroupIfAsked) {
  const auto merged = merge_headers({test::header_of("@RG\tID:x\tSM:s\n@RG\tID:y\n@PG\tID:p\n", {{"a", 1}}),
                                     test::header_of("@RG\tID:lane\n", {{"a", 1}}), test::header_of("", {{"a", 1}})},
                                    parse_combined("files"), {"in/lane.bam", "lane.sam.gz", "other.v2.cram"});
  EXPECT_EQ(merged.header.text.text(),
            "@SQ\tSN:a\tLN:1\n@RG\tID:lane\tSM:s\n@RG\tID:lane-2\n@RG\tID:other.v2\n@PG\tID:p\n");
  const auto record = test::record_of({.tags = std::string("RGZy\0PGZp\0NMC\1", 14)});
  std::vector<std::byte> changed;
  EXPECT_EQ(append_translated(AlignmentRecord(record), record, merged.translations[0], changed), 0U);
  EXPECT_EQ(changed, test::record_of({.tags = std::string("NMC\1PGZp\0RGZlane\0", 17)}));
}

TEST(HeaderMerge, TranslatesRecords) {
  Translation translation;
  translation.references = {4};
  translation.read_groups = {{"x", "x-2"}};
  const auto bytes = test::record_of({.reference = 0, .tags = std::string("PGZq\0RGZx\0NMC\1", 14)});
  std::vector<std::byte> made;
  EXPECT_EQ(append_translated(AlignmentRecord(bytes), bytes, translation, made), 1U);  // PG is not known
  EXPECT_EQ(made, test::record_of({.reference = 4, .tags = std::string("NMC\1RGZx-2\0", 11)}));
}

TEST(BamHeader, ComesBack) {
  const BamHeader header = test::header_of("@CO\tx\n", {{"a", 1}, {"b", 0x80000000}});
  const std::vector<std::byte> written = bytes_of(header);
  RawBytes bytes(written.begin(), written.end());
  const std::size_t size = bytes.size();
  bytes.push_back(std::byte{7});
  BamHeader read;
  EXPECT_EQ(read_bam_header(
                "x", bytes, [] { return false; }, read),
            size);
  EXPECT_EQ(read.references, header.references);
  EXPECT_EQ(read.text.text(), header.text.text());
}

}  // namespace
}  // namespace sortie::formats::alignments
