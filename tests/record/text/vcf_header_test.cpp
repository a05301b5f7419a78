#include "record/text/vcf_header.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sortie {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kBegin = "##fileformat=VCFv4.2\n";
const char* const kEnd = "#CHROM\tPOS\n";

std::string header(const std::string& lines) { return kBegin + lines + kEnd; }

TEST(VcfHeader, KeepsTheFirstOfLinesThatTellOfTheSame) {
  VcfHeader merged(header("##fileDate=1\n##x=a\n##x=b\n##INFO=<ID=A,Number=1,Type=String,Description=\"ID=B, >\">\n"));
  EXPECT_THAT(merged.add(header("##fileDate=2\n##x=c\n##INFO=<Number=1,ID=A,Type=String,Description=\"other\">\n")),
              IsEmpty());
  EXPECT_FALSE(merged.has_grown());
}

TEST(VcfHeader, FindsAttributesBetweenBlanksAndNotInQuotes) {
  const std::string_view line = R"(##INFO=< a="x,ID=9, \"b\"" , ID = 2, Type=String ,Source="y" >)";
  EXPECT_EQ(vcf_attribute(line, "ID"), "2");
  EXPECT_EQ(vcf_attribute(line, "Type"), "String");
  EXPECT_EQ(vcf_attribute(line, "Source"), "y");
  EXPECT_EQ(vcf_attribute(line, "b"), "");
  EXPECT_EQ(vcf_attribute("##contig=<assembly=\"a", "ID"), "");
  EXPECT_EQ(vcf_attribute("##contig=<ID=\"", "ID"), "\"");
  EXPECT_EQ(vcf_attribute("##contig=<ID= ", "ID"), "");
  VcfHeader merged(header("##INFO=<ID=A,Number=1,Type=String,Description=\"a\">\n"));
  EXPECT_THAT(merged.add(header("##INFO=<ID=A, Number=1, Type=String, Description=\"a\">\n")), IsEmpty());
  EXPECT_FALSE(merged.has_grown());
}

TEST(VcfHeader, TakesWhatIsNew) {
  VcfHeader merged(header("##a=1\n"));
  EXPECT_THAT(merged.add(header("##b=1\n##b=2\n##INFO=<ID=A>\n##FORMAT=<ID=A>\n##PEDIGREE=<Child=x>\n")), IsEmpty());
  EXPECT_TRUE(merged.has_grown());
  EXPECT_EQ(merged.text(), header("##a=1\n##b=1\n##b=2\n##INFO=<ID=A>\n##FORMAT=<ID=A>\n##PEDIGREE=<Child=x>\n"));
  EXPECT_THAT(merged.add(header("##b=3\n##PEDIGREE=<Child=x>\n")), IsEmpty());
  EXPECT_EQ(merged.text(), header("##a=1\n##b=1\n##b=2\n##INFO=<ID=A>\n##FORMAT=<ID=A>\n##PEDIGREE=<Child=x>\n"));
}

TEST(VcfHeader, KeepsTheOrderOfContigs) {
  const auto contigs = [](const std::string& names) {
    std::string lines;
    for (const char name : names) lines.append("##contig=<ID=").append(1, name).append(">\n");
    return header(lines);
  };
  const auto merged = [&](const std::string& names, const std::string& others) {
    VcfHeader all(contigs(names));
    all.add(contigs(others));
    return all.text();
  };
  EXPECT_EQ(merged("ac", "abc"), contigs("abc"));
  EXPECT_EQ(merged("cd", "abcde"), contigs("abcde"));
  EXPECT_EQ(merged("a", "b"), contigs("ab"));
  EXPECT_EQ(merged("abcd", "da"), contigs("abcd"));
}

TEST(VcfHeader, TellsContradictions) {
  VcfHeader merged(header("##INFO=<ID=A,Number=1,Type=Integer>\n##contig=<ID=c,length=5>\n##FILTER=<ID=A>\n"));
  EXPECT_THAT(merged.add(header("##INFO=<ID=A,Number=1,Type=Float>\n##contig=<ID=c,length=6>\n")),
              ElementsAre("##INFO A has Type=Float, not Type=Integer", "##contig c has length=6, not length=5"));
  EXPECT_THAT(merged.add(header("##INFO=<ID=A,Number=2,Type=Integer>\n##contig=<ID=c>\n")),
              ElementsAre("##INFO A has Number=2, not Number=1"));
}

}  // namespace
}  // namespace sortie
