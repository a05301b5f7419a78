#include "kernels/radix/byte_packing.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/common/key_codec.hpp"

namespace sortie::kernels {
namespace {

TEST(BytePacking, SelectsTheBytesThatTheNibblesName) {
  EXPECT_EQ(select_bytes(0x33221100, 0x77665544, 0x3210), 0x33221100U);
  EXPECT_EQ(select_bytes(0x33221100, 0x77665544, 0x7654), 0x77665544U);
  EXPECT_EQ(select_bytes(0x33221100, 0x77665544, 0x0627), 0x00662277U);
}

/// Keys that vary only in the bits of `mask`, and their packing.
struct MaskedKeys {
  explicit MaskedKeys(std::uint64_t mask) : keys(1000) {
    std::mt19937_64 random(mask);
    const std::uint64_t constant = random() & ~mask;
    std::uint64_t ones = 0;
    std::uint64_t zeros = 0;
    for (std::uint64_t& key : keys) {
      key = (random() & mask) | constant;
      ones |= key;
      zeros |= ~key;
    }
    packing = BytePacking(ones, zeros);
  }

  std::vector<std::uint64_t> keys;
  BytePacking packing;
};

/// Masks in which zero to four bytes vary. In the last two, some bits of these bytes are constant.
constexpr std::uint64_t kPackable[] = {0,
                                       0xff,
                                       0xff00000000000000ULL,
                                       0xff0000ff00000000ULL,
                                       0xff0000ff00ff00ULL,
                                       0xffffffffULL,
                                       0xffffffff00000000ULL,
                                       0xff00ff00ff00ff00ULL,
                                       0x0f00f000ff001800ULL,
                                       0x0000008000007f03ULL};

TEST(BytePacking, KeysComeBackAsTheyWere) {
  for (const std::uint64_t mask : kPackable) {
    const MaskedKeys masked(mask);
    ASSERT_TRUE(masked.packing.fits()) << std::hex << mask;
    for (const std::uint64_t key : masked.keys) {
      ASSERT_EQ(masked.packing.unpack(masked.packing.pack(key)), key) << std::hex << mask;
    }
  }
}

TEST(BytePacking, VaryingBytesKeepTheirOrderAndTheirPlaceIsKnown) {
  for (const std::uint64_t mask : kPackable) {
    const MaskedKeys masked(mask);
    unsigned expected_shift = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) {
      if ((mask >> shift & 0xff) == 0) continue;
      ASSERT_EQ(masked.packing.packed_shift(shift), expected_shift) << std::hex << mask;
      for (const std::uint64_t key : masked.keys) {
        ASSERT_EQ(masked.packing.pack(key) >> expected_shift & 0xff, key >> shift & 0xff) << std::hex << mask;
      }
      expected_shift += 8;
    }
  }
}

TEST(BytePacking, FiveBytesThatVaryDoNotFit) {
  EXPECT_FALSE(MaskedKeys(0xffffffffffULL).packing.fits());
  EXPECT_FALSE(MaskedKeys(0x0101010001000100ULL | 0xffULL << 32).packing.fits());
  EXPECT_FALSE(MaskedKeys(~std::uint64_t{0}).packing.fits());
  EXPECT_FALSE(BytePacking().fits());
}

TEST(BytePacking, PacksTheCodesOfAnotherCodec) {
  const auto codec = make_key_codec<std::uint64_t>(FieldKind::kSigned, true);
  const MaskedKeys codes(0xff0000000000ff00ULL);
  const PackingCodec<KeyCodec<std::uint64_t>> packed{codec, codes.packing};
  for (const std::uint64_t code : codes.keys) {
    const std::uint64_t number = codec.decode(code);
    ASSERT_EQ(packed.encode(number), codes.packing.pack(code));
    ASSERT_EQ(packed.decode(packed.encode(number)), number);
  }
}

}  // namespace
}  // namespace sortie::kernels
