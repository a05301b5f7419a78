#include "record/text/line_reference.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace sortie {
namespace {

std::array<std::byte, kPositionBytes> stored(std::uint64_t position) {
  std::array<std::byte, kPositionBytes> bytes{};
  store_position(position, bytes.data());
  return bytes;
}

const std::vector<std::uint64_t> kPositions = {
    0, 1, 127, 128, 16383, 16384, 0x123456789AB, (1ULL << 28) - 1, 1ULL << 28, 1ULL << 42, (1ULL << 56) - 1};

TEST(LineReference, PlacesAreReadAsTheyWereStored) {
  for (const std::uint64_t position : kPositions) EXPECT_EQ(load_position(stored(position).data()), position);
}

TEST(LineReference, PlacesOrderByBytesAndHoldNoDelimiter) {
  for (const std::uint64_t a : kPositions) {
    for (const std::byte byte : stored(a)) EXPECT_NE(byte & std::byte{0x80}, std::byte{0});
    for (const std::uint64_t b : kPositions) {
      EXPECT_EQ(std::memcmp(stored(a).data(), stored(b).data(), kPositionBytes) < 0, a < b);
    }
  }
}

TEST(LineReference, TellsOffsetAndLength) {
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{77}, LineReference::kMostLinesBytes - 1}) {
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1000}, LineReference::kLongLine - 1}) {
      const LineReference reference = LineReference::of(LineReference{offset, bytes}.position());
      EXPECT_EQ(reference.offset, offset);
      EXPECT_EQ(reference.stored_bytes, bytes);
    }
    EXPECT_EQ(LineReference::of(LineReference{offset, 5'000'000}.position()).stored_bytes, LineReference::kLongLine);
  }
}

TEST(LineReference, OrdersByOffset) {
  EXPECT_LT((LineReference{6, LineReference::kLongLine}.position()), (LineReference{7, 1}.position()));
}

}  // namespace
}  // namespace sortie
