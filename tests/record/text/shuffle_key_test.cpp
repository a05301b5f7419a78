#include "record/text/random_key.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sortie {
namespace {

constexpr std::array<std::byte, 16> kShuffleSeed{std::byte{1}, std::byte{2}, std::byte{3}};

std::string key_of(const ShuffleKey& key, std::uint64_t position) {
  std::array<std::byte, ShuffleKey::kBytes> bytes{};
  EXPECT_EQ(key.write(position, bytes.data()), bytes.data() + bytes.size());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(ShuffleKey, HoldsNeitherTheDelimiterNorItsEndMark) {
  for (int delimiter = 0; delimiter < 256; ++delimiter) {
    const ShuffleKey key(kShuffleSeed, static_cast<char>(delimiter));
    const char end_mark = static_cast<char>(key.end_mark());
    ASSERT_NE(end_mark, static_cast<char>(delimiter));
    for (std::uint64_t position = 0; position < 500; ++position) {
      const std::string bytes = key_of(key, position);
      ASSERT_EQ(bytes.find(static_cast<char>(delimiter)), std::string::npos);
      ASSERT_EQ(bytes.find(end_mark), bytes.size() - 1);
    }
  }
}

TEST(ShuffleKey, DependsOnThePlaceAndEveryByteOfTheSeed) {
  std::set<std::string> keys;
  for (std::uint64_t position = 0; position < 1000; ++position)
    keys.insert(key_of(ShuffleKey(kShuffleSeed, '\n'), position));
  EXPECT_EQ(keys.size(), 1000U);
  for (std::size_t i = 0; i < kShuffleSeed.size(); ++i) {
    auto seed = kShuffleSeed;
    seed[i] ^= std::byte{0x40};
    keys.insert(key_of(ShuffleKey(seed, '\n'), 7));
  }
  EXPECT_EQ(keys.size(), 1016U);
}

}  // namespace
}  // namespace sortie
