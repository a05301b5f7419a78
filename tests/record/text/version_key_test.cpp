// Version keys against known orders, and against GNU sort -V.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "gnu_sort.hpp"
#include "record/text/name_keys.hpp"

namespace sortie {
namespace {

std::string version_key_of(std::string_view text) {
  std::string key;
  append_version_key(text, key);
  return key;
}

void expect_ascending_versions(const std::vector<std::string>& texts) {
  for (std::size_t i = 1; i < texts.size(); ++i) {
    EXPECT_LT(version_key_of(texts[i - 1]), version_key_of(texts[i])) << texts[i - 1] << " before " << texts[i];
  }
}

TEST(VersionKey, RunsOfDigitsCountByValue) {
  expect_ascending_versions({"a", "a1", "a2", "a9", "a10", "a010b", "a99", "a100"});
}

TEST(VersionKey, NumbersOfAnyLength) {
  const std::string nines(239, '9');
  expect_ascending_versions({"a" + nines, "a1" + std::string(239, '0'), "a1" + nines, "a9" + std::string(10000, '0'),
                             "a9" + std::string(9999, '0') + "1", "a1" + std::string(10001, '0')});
}

TEST(VersionKey, TildeThenEndThenLettersThenOthers) {
  expect_ascending_versions({"x~~", "x~", "x", "x1", "xA", "xa", "x+", "x-", "x.", "x\xff"});
}

TEST(VersionKey, DotsAtTheBegin) {
  expect_ascending_versions({"", ".", "..", ".A", ".zz", ".0", "..x", ".9", "0", "a", "+"});
}

TEST(VersionKey, SuffixesCountAmongEqualsOnly) {
  expect_ascending_versions({"a", "a.c", "a.tar", "a.tar.gz", "a1", "a1.c", "a-1.zip", "a-1.1.zip"});
}

TEST(VersionKey, LeadingZerosMakeNoDifference) {
  EXPECT_EQ(version_key_of("a1.0"), version_key_of("a01.000"));
  EXPECT_EQ(version_key_of("a"), version_key_of("a0"));
  EXPECT_LT(version_key_of("a0~"), version_key_of("a"));
  EXPECT_LT(version_key_of("a"), version_key_of("a0b"));
  EXPECT_LT(version_key_of("x0.c"), version_key_of("x.c"));
}

TEST(VersionKey, NoBytesThatAreEscaped) {
  std::string every_byte;
  for (int i = 0; i < 256; ++i) every_byte += static_cast<char>(i);
  EXPECT_EQ(version_key_of(every_byte).find_first_of(std::string_view("\0\1\n", 3)), std::string::npos);
}

TEST(VersionKey, OrderOfGnuSort) {
  if (!test::have_gnu_sort()) GTEST_SKIP() << "no GNU sort";
  std::mt19937 random(20261);
  const std::vector<std::string> parts{"0", "00", "1", "9", "10", "12",   "a",  "b",    "Z",
                                       ".", ".",  "~", "-", "+",  "\xe9", ".c", ".tar", "_"};
  for (const std::size_t most_parts : {3, 5, 9}) {
    const std::vector<std::string> texts = test::texts_of_parts(parts, 20000, most_parts, random);
    test::expect_same_order(append_version_key, {.options = "-V"}, texts);
  }
}

TEST(VersionKey, OrderOfGnuSortOnAnyBytes) {
  if (!test::have_gnu_sort()) GTEST_SKIP() << "no GNU sort";
  std::mt19937 random(20262);
  std::vector<std::string> bytes;
  for (int i = 1; i < 256; ++i) bytes.emplace_back(1, static_cast<char>(i));
  const std::vector<std::string> texts = test::texts_of_parts(bytes, 20000, 3, random);
  test::expect_same_order(append_version_key, {.options = "-V"}, texts);
}

}  // namespace
}  // namespace sortie
