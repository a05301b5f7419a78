#include "kernels/floats/rotated_codec.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "cuda/host_items.hpp"

namespace sortie::kernels {
namespace {

template <class Bits>
void expect_codes_by_value(cuda::KeyType type, const FloatFormat& format) {
  const cuda::ItemArray keys = cuda::make_key_items(type, Distribution::kUniform, 5000, 113);
  for (const cuda::Order order : cuda::kBothOrders) {
    const auto codec = make_rotated_codec<Bits>(format, order == cuda::Order::kDescending);
    const auto expected = cuda::codes_without_values(keys, type, order);
    for (std::uint64_t i = 0; i < expected.size(); ++i) {
      Bits key = 0;
      std::memcpy(&key, keys.at(i), sizeof key);
      ASSERT_EQ(codec.encode(key), static_cast<Bits>(expected[i])) << key;
      ASSERT_EQ(codec.decode(codec.encode(key)), key);
    }
  }
}

TEST(RotatedCodec, PutsNegativeNansLast) {
  expect_codes_by_value<std::uint32_t>(cuda::KeyType::kFloat32ByValue, {4, 23});
  expect_codes_by_value<std::uint64_t>(cuda::KeyType::kFloat64ByValue, {8, 52});
}

/// All numbers of 16 bits in the lower lane, and others in the upper one.
TEST(RotatedCodec, TakesTwoKeysOf16BitsAtOnce) {
  for (const auto& [type, format] : {std::pair{cuda::KeyType::kFloat16ByValue, FloatFormat{2, 10}},
                                     std::pair{cuda::KeyType::kBfloat16ByValue, FloatFormat{2, 7}}}) {
    cuda::ItemArray keys{2, cuda::Bytes(2 << 16)};
    for (unsigned i = 0; i <= 0xffff; ++i) std::memcpy(keys.bytes.data() + 2 * i, &i, 2);
    for (const cuda::Order order : cuda::kBothOrders) {
      const RotatedLanes lanes = make_rotated_lanes(format, order == cuda::Order::kDescending);
      const auto expected = cuda::codes_without_values(keys, type, order);
      for (std::uint32_t i = 0; i <= 0xffff; ++i) {
        const std::uint32_t other = i * 0x9e37 & 0xffff;
        const std::uint32_t word = lanes.encode(other << 16 | i);
        ASSERT_EQ(word & 0xffff, expected[i] & 0xffff) << i;
        ASSERT_EQ(word >> 16, expected[other] & 0xffff) << other;
        ASSERT_EQ(lanes.decode(word), other << 16 | i);
      }
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
