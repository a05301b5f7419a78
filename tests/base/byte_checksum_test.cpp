#include <sortie/byte_checksum.hpp>

#include <algorithm>
#include <random>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "base/checksum.hpp"

namespace sortie {
namespace {

TEST(ByteChecksum, IsThatOfAllBytesHoweverTheyAreCut) {
  std::mt19937 random(3);
  std::string text(100'000, ' ');
  for (char& letter : text) letter = static_cast<char>(random());
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  ByteChecksum checksum;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t piece = std::min<std::size_t>(random() % 5000, bytes.size() - at);
    checksum.add(bytes.subspan(at, piece));
    at += piece;
  }
  EXPECT_EQ(checksum.bytes(), text.size());
  EXPECT_EQ(checksum.value(), hash_record(bytes));
}

TEST(ByteChecksum, KnowsTheOrder) {
  ByteChecksum one;
  ByteChecksum other;
  for (const char* const text : {"a", "b"}) one.add(std::as_bytes(std::span(text, 1)));
  for (const char* const text : {"b", "a"}) other.add(std::as_bytes(std::span(text, 1)));
  EXPECT_NE(one.value(), other.value());
}

}  // namespace
}  // namespace sortie
