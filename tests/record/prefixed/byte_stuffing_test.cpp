// Stuffed bytes come back as they were, hold no forbidden byte, and are hardly longer.
#include "record/prefixed/byte_stuffing.hpp"

#include <gtest/gtest.h>

#include "record/prefixed/prefixed_oracle.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::as_writable;

std::string stuffed(std::string_view bytes, char forbidden) {
  std::string out(stuffed_room(bytes.size()) + 2, '\x55');
  const std::byte* const begin = as_writable(out).data();
  const std::byte* const end = stuff(as_bytes(bytes), static_cast<std::byte>(forbidden), as_writable(out).data());
  EXPECT_TRUE(out.ends_with("\x55\x55")) << "written beyond the room";
  out.resize(static_cast<std::size_t>(end - begin));
  return out;
}

void expect_round_trip(const std::string& bytes, char forbidden) {
  std::string text = stuffed(bytes, forbidden);
  ASSERT_EQ(text.find(forbidden), std::string::npos) << testing::PrintToString(bytes);
  ASSERT_EQ(unstuffed_bytes(as_bytes(text), static_cast<std::byte>(forbidden)), bytes.size());
  ASSERT_EQ(as_text(unstuff(as_writable(text), static_cast<std::byte>(forbidden))), bytes);
}

TEST(ByteStuffing, RestoresAllShortBytesOfASmallAlphabet) {
  for (const char forbidden : {'\x1e', '\0', '\xff'}) {
    const std::string alphabet = {forbidden, static_cast<char>(forbidden ^ 1), 'a'};
    std::vector<std::string> all = {""};
    for (std::size_t i = 0; all[i].size() < 7; ++i) {
      for (const char byte : alphabet) all.push_back(all[i] + byte);
    }
    for (const std::string& bytes : all) expect_round_trip(bytes, forbidden);
  }
}

TEST(ByteStuffing, RestoresStretchesOfEveryLength) {
  for (std::size_t size : {0, 1, 252, 253, 254, 255, 256, 507, 508, 509, 510, 762, 763}) {
    const std::string plain(size, 'x');
    expect_round_trip(plain, '\x1e');
    expect_round_trip(std::string(size, '\x1e'), '\x1e');
    for (std::size_t at = 0; at < size; ++at) {
      std::string bytes = plain;
      bytes[at] = '\x1e';
      expect_round_trip(bytes, '\x1e');
      bytes[size - 1 - at / 2] = '\x1e';
      expect_round_trip(bytes, '\x1e');
    }
  }
}

TEST(ByteStuffing, RestoresBytesOfEveryKind) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 3000; ++i) {
    const std::string_view alphabet = i % 2 == 0 ? test::kBytesThatMatter : std::string_view("abcdefgh\x1e");
    expect_round_trip(test::random_bytes(random, random() % 1200, alphabet), '\x1e');
  }
}

TEST(ByteStuffing, TakesAByteMoreIn254AtMost) {
  EXPECT_EQ(stuffed(std::string(254, 'x'), '\x1e').size(), 255u);
  EXPECT_EQ(stuffed(std::string(255, 'x'), '\x1e').size(), 257u);
  EXPECT_EQ(stuffed(std::string(10'000, '\x1e'), '\x1e').size(), 10'001u);
}

TEST(ByteStuffing, StaysWithinBytesThatAreDamaged) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = test::random_bytes(random, random() % 300, test::kBytesThatMatter);
    const std::size_t size = unstuffed_bytes(as_bytes(bytes), std::byte{0x1e});
    const std::string_view restored = as_text(unstuff(as_writable(bytes), std::byte{0x1e}));
    EXPECT_LE(restored.size(), bytes.size());
    EXPECT_EQ(restored.size(), size);
    EXPECT_TRUE(restored.empty() || restored.data() + restored.size() <= bytes.data() + bytes.size());
  }
}

}  // namespace
}  // namespace sortie
