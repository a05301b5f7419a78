#include "kernels/rows/cut_codes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kCutSeed = 113;
constexpr std::uint64_t kHighBit = std::uint64_t{1} << 63;

using LongCodes = std::vector<std::uint64_t>;
using Places = std::vector<unsigned>;

CutCodes form_of(const LongCodes& codes) {
  std::uint64_t differing = 0;
  for (const std::uint64_t code : codes) differing |= code ^ codes[0];
  return CutCodes::of(codes[0], differing);
}

Places places_of(const std::vector<std::uint64_t>& items) {
  Places places;
  for (const std::uint64_t item : items) places.push_back(CutCodes::place_of(item));
  return places;
}

/// The order of the bits that are kept, and of places where they agree.
Places sorted_at_once(const LongCodes& codes, const CutCodes& form) {
  std::vector<std::uint64_t> items;
  for (unsigned i = 0; i < codes.size(); ++i) items.push_back(form.item(codes[i], i));
  std::ranges::sort(items);
  return places_of(items);
}

Places sorted_twice(const LongCodes& codes, const CutCodes& form) {
  std::vector<std::uint64_t> items;
  for (unsigned i = 0; i < codes.size(); ++i) items.push_back(form.low_item(codes[i], i));
  std::ranges::sort(items);
  const Places first = places_of(items);
  for (unsigned rank = 0; rank < codes.size(); ++rank) items[rank] = form.item(codes[first[rank]], rank);
  std::ranges::sort(items);
  Places places;
  for (const std::uint64_t item : items) places.push_back(first[CutCodes::place_of(item)]);
  return places;
}

Places stable_order(const LongCodes& codes) {
  Places places(codes.size());
  for (unsigned i = 0; i < places.size(); ++i) places[i] = i;
  std::ranges::stable_sort(places, {}, [&](unsigned i) { return codes[i]; });
  return places;
}

/// 4096 codes that differ in `low_bits` bits, and in the bits of `high` one in so many.
LongCodes codes_with(unsigned low_bits, std::uint64_t high, std::uint64_t one_in, std::uint64_t shared = 0) {
  std::mt19937_64 random(kCutSeed);
  LongCodes codes(std::size_t{1} << CutCodes::kPlaceBits);
  for (std::uint64_t& code : codes) {
    code = shared | random() >> (64 - low_bits);
    if (random() % one_in == 0) code ^= random() & high;
  }
  codes[codes.size() / 3] ^= high;
  return codes;
}

TEST(CutCodes, KeepAllBitsThatFitBesideAPlace) {
  const LongCodes codes = codes_with(CutCodes::kCodeBits, 0, 1, std::uint64_t{0xabc} << CutCodes::kCodeBits);
  const CutCodes form = form_of(codes);
  EXPECT_FALSE(form.is_cut());
  for (unsigned i = 0; i < codes.size(); ++i) {
    EXPECT_EQ(form.code_of(form.item(codes[i], i)), codes[i]);
    EXPECT_EQ(CutCodes::place_of(form.item(codes[i], i)), i);
  }
  EXPECT_EQ(sorted_at_once(codes, form), stable_order(codes));
}

TEST(CutCodes, OfEqualCodesKeepTheirOrder) {
  for (const std::uint64_t code : {std::uint64_t{0}, kHighBit, ~std::uint64_t{0}}) {
    const LongCodes codes(1000, code);
    const CutCodes form = form_of(codes);
    EXPECT_FALSE(form.is_cut());
    EXPECT_EQ(sorted_at_once(codes, form), stable_order(codes));
    EXPECT_EQ(sorted_twice(codes, form), stable_order(codes));
  }
}

/// Outliers, clusters far apart, and few codes that differ: in each of them so many bits are cut off that one sort by
/// the others does not suffice.
TEST(CutCodes, SortedTwiceAreInOrderWhateverIsCutOff) {
  const LongCodes few_that_differ = [] {
    LongCodes codes(4096, 7);
    for (unsigned i = 0; i < 20; ++i) codes[200 * i + 5] = 4000 - i;
    codes[77] |= kHighBit;
    return codes;
  }();
  const std::vector<std::pair<std::string, LongCodes>> rows = {
      {"one outlier", codes_with(12, kHighBit, 5000)},   {"few outliers", codes_with(12, ~std::uint64_t{0}, 64)},
      {"two clusters", codes_with(12, kHighBit, 2)},     {"few that differ", few_that_differ},
      {"uniform", codes_with(64, ~std::uint64_t{0}, 1)}, {"few twins", codes_with(24, kHighBit, 2)}};
  for (const auto& [name, codes] : rows) {
    SCOPED_TRACE(name);
    const CutCodes form = form_of(codes);
    EXPECT_EQ(form.cut, 64 - CutCodes::kCodeBits);
    EXPECT_EQ(sorted_twice(codes, form), stable_order(codes));
    if (name != "uniform") {
      EXPECT_NE(sorted_at_once(codes, form), stable_order(codes));
    }
  }
}

TEST(CutCodes, AreUntoldIfTheyDifferInTheBitsCutOffAlone) {
  const CutCodes form = CutCodes::of(0, kHighBit);
  EXPECT_TRUE(form.are_untold(1, 2));
  EXPECT_FALSE(form.are_untold(3, 3));
  EXPECT_FALSE(form.are_untold(3, 3 + 4096));
  EXPECT_FALSE(form.are_untold(3, 3 | kHighBit));
  EXPECT_FALSE(CutCodes::of(0, 4095).are_untold(1, 2)) << "nothing is cut off";
}

}  // namespace
}  // namespace sortie::kernels
