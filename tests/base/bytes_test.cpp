#include "base/bytes.hpp"

#include <gtest/gtest.h>

#include <array>

namespace sortie {
namespace {

constexpr std::array<std::byte, 8> kBytes = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                             std::byte{5}, std::byte{6}, std::byte{7}, std::byte{0x88}};

TEST(Bytes, LoadsLittleEndianIntegersOfEveryLength) {
  EXPECT_EQ(load_little(kBytes.data(), 0), 0u);
  EXPECT_EQ(load_little(kBytes.data(), 1), 0x01u);
  EXPECT_EQ(load_little(kBytes.data(), 3), 0x030201u);
  EXPECT_EQ(load_little(kBytes.data(), 8), 0x8807060504030201u);
}

TEST(Bytes, LoadsBigEndianIntegersLeftJustified) {
  EXPECT_EQ(load_big_padded(kBytes.data(), 1), 0x0100000000000000u);
  EXPECT_EQ(load_big_padded(kBytes.data(), 3), 0x0102030000000000u);
  EXPECT_EQ(load_big_padded(kBytes.data(), 8), 0x0102030405060788u);
}

TEST(Bytes, StoresWhatItLoads) {
  std::array<std::byte, 9> buffer{};
  store_as<std::uint64_t>(buffer.data() + 1, 0x1122334455667788u);
  EXPECT_EQ(load_as<std::uint64_t>(buffer.data() + 1), 0x1122334455667788u);
  EXPECT_EQ(buffer[0], std::byte{0});
}

}  // namespace
}  // namespace sortie
