// Keys of a shuffle as bytes and as words, by the number of the record.
#include <gtest/gtest.h>

#include <sortie/format.hpp>
#include <sortie/shuffle_keys.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"

namespace sortie {
namespace {

TEST(ShuffleKeysTest, WordsAreInTheOrderOfTheBytesOfTheKey) {
  const ShuffleKeys keys(seed_of_text("7"));
  std::array<std::uint64_t, 100> first;
  std::array<std::uint64_t, 100> second;
  keys.write_words(1000, first, second);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::vector<std::byte> key = keys.key(1000 + i);
    ASSERT_EQ(key.size(), 16U);
    EXPECT_EQ(first[i], load_big_padded(key.data(), 8));
    EXPECT_EQ(second[i], load_big_padded(key.data() + 8, 8));
  }
}

TEST(ShuffleKeysTest, ASeedGivesItsKeysAgainAndAnotherOneOthers) {
  const ShuffleKeys keys(seed_of_text("7"));
  EXPECT_EQ(keys.key(5), ShuffleKeys(seed_of_text("7")).key(5));
  EXPECT_NE(keys.key(5), keys.key(6));
  EXPECT_NE(keys.key(5), ShuffleKeys(seed_of_text("8")).key(5));
  EXPECT_NE(ShuffleKeys(std::nullopt).key(5), ShuffleKeys(std::nullopt).key(5));
}

}  // namespace
}  // namespace sortie
