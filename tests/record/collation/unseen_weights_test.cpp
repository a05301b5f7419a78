// What strcoll() passes over of runs of elements that are compared backward.
#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <string_view>

#include "record/collation/unseen_weights.hpp"

namespace sortie {
namespace {

/// The elements of a text by name: capitals are backward, 'x' and 'X' have no weight, any other has its own.
std::string seen(std::string_view elements, std::string_view second) {
  UnseenWeights unseen;
  for (const char element : elements) {
    unseen.add(std::isupper(element) != 0, element == 'x' || element == 'X' ? 0 : 1);
  }
  return unseen.seen(second);
}

TEST(UnseenWeights, ForwardTextIsSeen) { EXPECT_EQ(seen("abcx", "abc"), "abc"); }

TEST(UnseenWeights, RunAtTheEndIsSeen) { EXPECT_EQ(seen("aBCD", "aDCB"), "aDCB"); }

TEST(UnseenWeights, LastButOneBeforeAForwardElement) {
  EXPECT_EQ(seen("Ba", "Ba"), "Ba");
  EXPECT_EQ(seen("BCa", "CBa"), "Ca");
  EXPECT_EQ(seen("BCDa", "DCBa"), "DBa");
  EXPECT_EQ(seen("BCaDEFb", "CBaFEDb"), "CaFDb");
}

TEST(UnseenWeights, ElementsWithoutWeightCountInTheRun) {
  EXPECT_EQ(seen("BXa", "Ba"), "a");
  EXPECT_EQ(seen("XBa", "Ba"), "Ba");
  EXPECT_EQ(seen("BXXa", "Ba"), "Ba");
}

TEST(UnseenWeights, ForwardElementsWithoutWeightBeforeTheRun) {
  EXPECT_EQ(seen("xBC", "CB"), "C");
  EXPECT_EQ(seen("xxBCDE", "EDCB"), "EB");
  EXPECT_EQ(seen("xBCDa", "DCBa"), "Da");
  EXPECT_EQ(seen("xaBC", "aCB"), "aCB");
  EXPECT_EQ(seen("BxCD", "BDC"), "BDC");
  EXPECT_EQ(seen("BxxCD", "BDC"), "BD");
}

TEST(UnseenWeights, OtherWeightsAreLeftAlone) { EXPECT_EQ(seen("BCa", "CBab"), "CBab"); }

}  // namespace
}  // namespace sortie
