// Random keys: the digest is that of MD5, and the order is that of GNU sort -R with the same seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gnu_sort.hpp"
#include "record/text/random_key.hpp"

namespace sortie {
namespace {

std::array<std::byte, 16> seed_of(std::string_view sixteen_bytes) {
  std::array<std::byte, 16> seed;
  std::transform(sixteen_bytes.begin(), sixteen_bytes.end(), seed.begin(), [](char c) { return std::byte(c); });
  return seed;
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    text += "0123456789abcdef"[c & 15];
  }
  return text;
}

TEST(RandomKey, IsTheMd5DigestAndTheText) {
  // RFC 1321, appendix A.5: the digest of the 26 letters.
  std::string key = "before";
  append_random_key("qrstuvwxyz", seed_of("abcdefghijklmnop"), key);
  EXPECT_EQ(key.substr(0, 6), "before");
  EXPECT_EQ(hex(key.substr(6, 16)), "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(key.substr(22), "qrstuvwxyz");
}

TEST(RandomKey, IsTheDigestOfLongTexts) {
  // The same appendix: the ten digits eight times, which take more than one block.
  std::string key;
  append_random_key("7890123456789012345678901234567890123456789012345678901234567890", seed_of("1234567890123456"),
                    key);
  EXPECT_EQ(hex(key.substr(0, 16)), "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(RandomKey, DependsOnTheSeed) {
  std::string one;
  std::string other;
  append_random_key("text", seed_of("0123456789abcdef"), one);
  append_random_key("text", seed_of("0123456789abcdeg"), other);
  EXPECT_NE(one, other);
}

TEST(RandomKey, OrderOfGnuSort) {
  if (!test::have_gnu_sort()) GTEST_SKIP() << "no GNU sort";
  const std::string seed_text = "the seed of it!\n";
  const auto append_key = [seed = seed_of(seed_text)](std::string_view text, std::string& out) {
    append_random_key(text, seed, out);
  };
  const test::TemporaryDirectory directory;
  test::write_whole_file(directory / "seed", seed_text);
  std::mt19937 random(20266);
  const std::vector<std::string> texts = test::texts_of_parts({"a", "b", "cd", " ", "\n", "\xff"}, 20000, 40, random);
  test::expect_same_order(append_key, {.options = "-R --random-source=" + (directory / "seed")}, texts);
}

}  // namespace
}  // namespace sortie
