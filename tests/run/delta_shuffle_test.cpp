#include "run/delta_shuffle.hpp"

#include <string>

#include <gtest/gtest.h>

#include "run/run_support.hpp"

namespace sortie {
namespace {

using namespace std::string_literals;
using test::as_bytes;
using test::as_writable;

std::string shuffled(const ElementShape& shape, const std::string& elements) {
  std::string columns(elements.size(), '?');
  delta_shuffle(shape, as_bytes(elements), as_writable(columns));
  return columns;
}

std::string unshuffled(const ElementShape& shape, const std::string& columns) {
  std::string elements(columns.size(), '?');
  undo_delta_shuffle(shape, as_bytes(columns), as_writable(elements));
  return elements;
}

TEST(DeltaShuffle, PutsDifferencesIntoColumns) {
  // 0x00000102, 0x00000201, 0x00000200: differences 0x102, 0xff, -1.
  const std::string numbers = "\x02\x01\x00\x00\x01\x02\x00\x00\x00\x02\x00\x00"s;
  EXPECT_EQ(shuffled({DeltaKind::kNumber, 4}, numbers), "\x02\xff\xff\x01\x00\xff\x00\x00\xff\x00\x00\xff"s);
  EXPECT_EQ(shuffled({DeltaKind::kByte, 4}, numbers), "\x02\xff\xff\x01\x01\x00\x00\x00\x00\x00\x00\x00"s);
}

TEST(DeltaShuffle, IsUndoneForEveryShapeAndCount) {
  for (unsigned bytes = 1; bytes <= kMaxElementBytes; ++bytes) {
    for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 200u}) {
      const std::string elements = test::sorted_records(count, bytes, bytes);
      const ElementShape byte_shape{DeltaKind::kByte, static_cast<std::uint8_t>(bytes)};
      ASSERT_TRUE(is_valid(byte_shape));
      EXPECT_EQ(unshuffled(byte_shape, shuffled(byte_shape, elements)), elements) << bytes << " x " << count;
      const ElementShape number_shape{DeltaKind::kNumber, static_cast<std::uint8_t>(bytes)};
      ASSERT_EQ(is_valid(number_shape), bytes == 4 || bytes == 8);
      if (!is_valid(number_shape)) continue;
      EXPECT_EQ(unshuffled(number_shape, shuffled(number_shape, elements)), elements) << bytes << " x " << count;
    }
  }
}

TEST(DeltaShuffle, KnowsItsShapes) {
  EXPECT_FALSE(is_valid({DeltaKind::kByte, 0}));
  EXPECT_FALSE(is_valid({DeltaKind(2), 4}));
}

}  // namespace
}  // namespace sortie
