// Records of BCF and the numbers of their headers. tests/cli/compare_bcf asks bcftools about whole files.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "formats/variants/bcf_record.hpp"

namespace sortie::formats::variants {
namespace {

const std::string kContigs = "##contig=<ID=chr1>\n##contig=<ID=chr2>\n";
const std::string kColumns = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tS1\tS2\n";

/// A record of two samples with a key of INFO and one of FORMAT.
struct Variant {
  std::int32_t contig = 0;
  std::int32_t position = 4;
  std::vector<std::string> alleles = {"A", "C"};
  std::uint8_t filter = 0;
  std::uint8_t info = 1;
  std::uint8_t format = 2;

  std::vector<std::byte> record() const {
    std::vector<std::byte> shared(24);
    store_as(shared.data(), contig);
    store_as(shared.data() + 4, position);
    store_as(shared.data() + 8, std::int32_t{1});
    store_as(shared.data() + 16, static_cast<std::uint32_t>(alleles.size() << 16 | 1));
    store_as(shared.data() + 20, std::uint32_t{1U << 24 | 2});
    add(shared, {0x17, '.'});
    for (const std::string& allele : alleles) {
      add(shared, {static_cast<unsigned>(allele.size() << 4 | 7)});
      for (const char c : allele) add(shared, {static_cast<unsigned char>(c)});
    }
    add(shared, {0x11, filter});
    add(shared, {0x11, info, 0x21, 5, 6});
    std::vector<std::byte> samples;
    add(samples, {0x11, format, 0x21, 2, 4, 6, 8});
    std::vector<std::byte> all(kBcfLengthBytes);
    store_as(all.data(), static_cast<std::uint32_t>(shared.size()));
    store_as(all.data() + 4, static_cast<std::uint32_t>(samples.size()));
    all.insert(all.end(), shared.begin(), shared.end());
    all.insert(all.end(), samples.begin(), samples.end());
    return all;
  }

  static void add(std::vector<std::byte>& bytes, std::initializer_list<unsigned> values) {
    for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  }
};

BcfHeader usual_header() { return BcfHeader(kContigs + "##INFO=<ID=X>\n##FORMAT=<ID=GT>\n" + kColumns); }

std::vector<std::byte> key_of(const Variant& variant) {
  std::vector<std::byte> key;
  append_bcf_key(variant.record(), key);
  return key;
}

std::string refusal_of(std::vector<std::byte> record) {
  try {
    static_cast<void>(bcf_record_bytes(record));
    check_bcf_record(record, usual_header());
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(BcfRecord, OrdersAsBcftoolsDoes) {
  const std::vector<Variant> variants = {
      {.position = -1},
      {.position = 4, .alleles = {"A"}},
      {.position = 4, .alleles = {"A", "<DEL>"}},
      {.position = 4, .alleles = {"a", "[chr1:5[A"}},
      {.position = 4, .alleles = {"A", "C"}},
      {.position = 4, .alleles = {"A", "C", "T"}},
      {.position = 4, .alleles = {"A", "CA"}},
      {.position = 4, .alleles = {"ac", "A"}},
      {.position = 400},
      {.contig = 1, .position = 0},
  };
  for (std::size_t i = 1; i < variants.size(); ++i) EXPECT_LT(key_of(variants[i - 1]), key_of(variants[i])) << i;
  EXPECT_EQ(key_of({.alleles = {"A", "c"}}), key_of({.alleles = {"a", "C"}}));
}

TEST(BcfRecord, IsRefusedUnlessAllOfItLiesInIt) {
  EXPECT_EQ(refusal_of(Variant().record()), "none");
  std::vector<std::byte> record = Variant().record();
  store_as(record.data(), std::uint32_t{23});
  EXPECT_EQ(refusal_of(record), "has the lengths 23 and 7, which no record has");
  EXPECT_EQ(refusal_of(Variant{.contig = 2}.record()), "names chromosome 2, which its header does not have");
  EXPECT_EQ(refusal_of(Variant{.filter = 9}.record()), "names filter 9, which its header does not have");
  EXPECT_EQ(refusal_of(Variant{.info = 9}.record()), "names key of INFO 9, which its header does not have");
  EXPECT_EQ(refusal_of(Variant{.format = 9}.record()), "names key of FORMAT 9, which its header does not have");
  EXPECT_EQ(refusal_of(Variant{.position = -2}.record()), "has the position -1");
  record = Variant().record();
  record.push_back({});
  store_as(record.data() + 4, std::uint32_t{8});
  EXPECT_EQ(refusal_of(record), "has 1 bytes behind its last sample");
  record.resize(record.size() - 3);
  store_as(record.data() + 4, std::uint32_t{5});
  EXPECT_EQ(refusal_of(record), "has a value that goes beyond its end");
}

TEST(BcfRecord, GetsTheNumbersOfAnotherHeader) {
  std::string many = "##FILTER=<ID=other>\n";
  for (int i = 0; i < 300; ++i) many.append("##INFO=<ID=N").append(std::to_string(i)).append(">\n");
  const BcfHeader other("##contig=<ID=chr2>\n##contig=<ID=chr1>\n" + many + "##FORMAT=<ID=GT>\n##INFO=<ID=X>\n" +
                        kColumns);
  const BcfNumbers numbers(usual_header(), other);
  EXPECT_FALSE(numbers.are_same);
  std::vector<std::byte> renumbered;
  append_renumbered(Variant().record(), numbers, renumbered);
  EXPECT_EQ(bcf_record_bytes(renumbered), renumbered.size());
  check_bcf_record(renumbered, other);
  EXPECT_EQ(bcf_place(renumbered).contig, 1);
  EXPECT_EQ(renumbered.size(), Variant().record().size() + 2);  // two numbers are greater than a byte holds
  const BcfNumbers back(other, usual_header());
  std::vector<std::byte> restored;
  append_renumbered(renumbered, back, restored);
  EXPECT_EQ(restored, Variant().record());
}

TEST(BcfHeader, NumbersNamesAsItsLinesSay) {
  const BcfHeader header(
      "##contig=<ID=b,IDX=3>\n##contig=<ID=a>\n##INFO=<ID=DP,Number=1,IDX=7>\n##FORMAT=<ID=DP,IDX=7>\n" + kColumns);
  EXPECT_EQ(header.contigs().number_of("b"), 3U);
  EXPECT_EQ(header.contigs().number_of("a"), 4U);
  EXPECT_EQ(header.strings().number_of("DP"), 7U);
  EXPECT_EQ(header.strings().number_of("PASS"), 0U);
  EXPECT_EQ(header.samples(), 2U);
  EXPECT_THROW(BcfHeader("##contig=<ID=b>\n"), Error);
  EXPECT_THROW(BcfHeader("##contig=<ID=b,IDX=4000000000>\n" + kColumns), Error);
  EXPECT_THROW(BcfHeader("##contig=<ID=b,IDX=1>\n##contig=<ID=a,IDX=1>\n" + kColumns), Error);
}

TEST(BcfHeader, IsMergedWithoutNumbers) {
  const std::vector<BcfHeader> headers = {
      BcfHeader(kContigs + "##INFO=<ID=X,Number=1,Type=Integer,Description=\"x\",IDX=5>\n" + kColumns),
      BcfHeader(kContigs + "##INFO=<ID=Y,Number=1,Type=Integer,Description=\"y\",IDX=5>\n" + kColumns)};
  const BcfHeader merged = merged_header(headers, {"a", "b"});
  EXPECT_EQ(merged.text().find("IDX"), std::string::npos);
  EXPECT_EQ(merged.strings().number_of("X"), 1U);
  EXPECT_EQ(merged.strings().number_of("Y"), 2U);
  try {
    static_cast<void>(merged_header({headers[0], BcfHeader(kContigs + "#CHROM\tPOS\tID\n")}, {"a", "b"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "input b has another header than a: its column 4 is '', not 'REF'; files of other samples are joined by "
        "'bcftools merge'");
  }
}

}  // namespace
}  // namespace sortie::formats::variants
