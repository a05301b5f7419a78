// Codes of weights: usual letters take one byte, and all codes keep the order.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "record/collation/first_level.hpp"

namespace sortie {
namespace {

Weight weight_of(std::string_view bytes) { return take_weight(bytes); }

std::string written(const WeightCode& code, std::string_view level) {
  std::string out(WeightCode::kMostBytes * level.size(), '\0');
  char* next = out.data();
  while (const Weight weight = take_weight(level)) next = code.put(weight, next);
  out.resize(static_cast<std::size_t>(next - out.data()));
  return out;
}

const std::vector<std::string> kWeights{
    "\x02",     "\x10",         "\x50",         "\x7f",         "\xc2\x95",        "\xc3\x80",
    "\xdf\xbf", "\xe2\x82\x9b", "\xe2\x94\x92", "\xe5\x89\xa2", "\xf0\x90\x80\x80"};

TEST(CollationWeight, TakesOneAfterTheOther) {
  std::string_view level = "\x51\xc2\x95\xe2\x94\x92\x02";
  EXPECT_EQ(take_weight(level), 0x51ULL << 56);
  EXPECT_EQ(take_weight(level), 0xc295ULL << 48);
  EXPECT_EQ(take_weight(level), 0xe29492ULL << 40);
  EXPECT_EQ(take_weight(level), 0x02ULL << 56);
  EXPECT_EQ(take_weight(level), 0U);
}

TEST(WeightCode, UsualWeightsTakeAByte) {
  const WeightCode code({weight_of(kWeights[2]), weight_of(kWeights[5]), weight_of(kWeights[2])});
  EXPECT_EQ(written(code, kWeights[2]).size(), 1U);
  EXPECT_EQ(written(code, kWeights[5]).size(), 1U);
  EXPECT_EQ(written(code, kWeights[4]).substr(1), kWeights[4]);
}

TEST(WeightCode, WeightsOfThreeBytesKeepTheirLength) {
  const WeightCode code({weight_of(kWeights[8])});
  EXPECT_EQ(written(code, kWeights[7]).size(), 3U);
  EXPECT_EQ(written(code, kWeights[8]).size(), 3U);
}

TEST(WeightCode, ComparesAsTheWeightsDo) {
  std::mt19937 random(20273);
  for (const std::size_t chosen : {0, 1, 3, 6, 11}) {
    std::vector<Weight> weights;
    for (std::size_t i = 0; i < chosen; ++i) weights.push_back(weight_of(kWeights[random() % kWeights.size()]));
    const WeightCode code(weights);
    std::vector<std::string> levels(100);
    for (std::string& level : levels) {
      for (std::size_t i = random() % 4; i > 0; --i) level += kWeights[random() % kWeights.size()];
    }
    for (const std::string& a : levels) {
      for (const std::string& b : levels) EXPECT_EQ(written(code, a) < written(code, b), a < b);
    }
  }
}

TEST(WeightCode, HoldsItsMostUsualWeights) {
  std::vector<Weight> weights;
  for (std::size_t i = 0; i < WeightCode::kMostUsual + 10; ++i) {
    weights.push_back(Weight{0xC3 + i / 64} << 56 | Weight{0x80 + i % 64} << 48);
  }
  const WeightCode code(weights);
  std::string before;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    std::string key(WeightCode::kMostBytes, '\0');
    key.resize(static_cast<std::size_t>(code.put(weights[i], key.data()) - key.data()));
    EXPECT_LT(before, key);
    EXPECT_EQ(key.size() == 1, i < WeightCode::kMostUsual);
    before = key;
  }
}

}  // namespace
}  // namespace sortie
