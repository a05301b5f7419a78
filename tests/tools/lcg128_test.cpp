#include "tools/gen/lcg128.hpp"

#include <gtest/gtest.h>

namespace sortie::tools {
namespace {

TEST(Lcg128, FirstNumberIsOneStepFromTheSeed) {
  EXPECT_TRUE(Lcg128(0, 0).next() == make_uint128(0x4a696d4772617952, 0x4950202020202001));
}

TEST(Lcg128, SkippingAheadEqualsStepping) {
  Lcg128 stepped(0, 0);
  for (std::uint64_t index = 0; index < 1000; ++index) {
    EXPECT_TRUE(Lcg128(0, index).next() == stepped.next()) << index;
  }
}

TEST(Lcg128, SkipsAddUp) {
  const Uint128 far = make_uint128(0x123456789, 0xabcdef);
  const Uint128 farther = far + 12345;
  EXPECT_TRUE(repeat_step(far).then(repeat_step(12345)).apply(7) == repeat_step(farther).apply(7));
}

TEST(Lcg128, ThePeriodIsWhole) {
  const AffineStep almost = repeat_step(~Uint128{0});
  EXPECT_TRUE(almost.then(AffineStep{}).apply(42) == 42);
}

}  // namespace
}  // namespace sortie::tools
