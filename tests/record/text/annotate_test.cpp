#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <sortie/text_keys.hpp>

#include "record/text/annotate.hpp"

namespace sortie {
namespace {

std::string annotated(std::string_view record, const TextOrder& order) { return Annotator(order).annotated(record); }

TextOrder order_of(const std::vector<std::string>& keys, const std::string& separator = {}) {
  TextOrder order;
  for (const std::string& key : keys) order.keys.push_back(parse_text_key(key));
  order.separator = separator;
  order.last_resort = false;
  return order;
}

TEST(Annotated, UnderlinesEveryKeyAndTheLastResort) {
  TextOrder order = order_of({"2,2", "1,1"}, ",");
  EXPECT_EQ(annotated("ab,c,d", order), "ab,c,d\n   _\n__\n");
  order.last_resort = true;
  EXPECT_EQ(annotated("ab,c,d", order), "ab,c,d\n   _\n__\n______\n");
  EXPECT_EQ(annotated("ab", TextOrder()), "ab\n__\n");
}

TEST(Annotated, KnowsSeparatorsOfSeveralBytes) {
  EXPECT_EQ(annotated("ab, c,d, e", order_of({"2,2", "3"}, ", ")), "ab, c,d, e\n    ___\n         _\n");
}

TEST(Annotated, SaysWhereAKeyIsEmpty) {
  EXPECT_EQ(annotated("a b", order_of({"2,1"})), "a b\n ^ no match for key\n");
  EXPECT_EQ(annotated("a", order_of({"3"})), "a\n ^ no match for key\n");
  EXPECT_EQ(annotated("", TextOrder()), "\n^ no match for key\n");
}

TEST(Annotated, UnderlinesWhatIsReadOfANumber) {
  EXPECT_EQ(annotated(" -1.5x", order_of({"1n"})), " -1.5x\n ____\n");
  EXPECT_EQ(annotated("1.", order_of({"1n"})), "1.\n__\n");
  EXPECT_EQ(annotated("-.x", order_of({"1n"})), "-.x\n^ no match for key\n");
  EXPECT_EQ(annotated("2Kb", order_of({"1h"})), "2Kb\n__\n");
  EXPECT_EQ(annotated("2Kb", order_of({"1n"})), "2Kb\n_\n");
  EXPECT_EQ(annotated("0x1Fp2 3", order_of({"1g"})), "0x1Fp2 3\n______\n");
}

TEST(Annotated, ShowsThePlaceOfANumberBehindItsBlanks) {
  EXPECT_EQ(annotated("ab  c", order_of({"2n,1.1"})), "ab  c\n    ^ no match for key\n");
  EXPECT_EQ(annotated("a  b", order_of({"2n,1"})), "a  b\n ^ no match for key\n");
}

TEST(Annotated, UnderlinesMonths) {
  EXPECT_EQ(annotated(" march", order_of({"1M"})), " march\n ___\n");
  EXPECT_EQ(annotated("mai", order_of({"1M"})), "mai\n^ no match for key\n");
}

TEST(Annotated, GivesTabsOneColumnAndControlBytesNone) {
  EXPECT_EQ(annotated("a\tb", order_of({"2b"})), "a>b\n  _\n");
  EXPECT_EQ(annotated("\1\2b c", order_of({"2b"})), "\1\2b c\n  _\n");
}

}  // namespace
}  // namespace sortie
