#include "kernels/number_codec.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/device_array.hpp"
#include "record/key_plan.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

template <class Bits>
void expect_codes(FieldKind kind, bool descending) {
  std::vector<Bits> numbers = make_keys<Bits>(Distribution::kUniform, 10'007, 5);
  const Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  for (const Bits special : {Bits{0}, sign, static_cast<Bits>(~Bits{0}), static_cast<Bits>(~sign)}) {
    numbers.push_back(special);
  }
  const CudaStream stream;
  const DeviceArray<Bits> array(numbers, stream);
  const NumberOrder order{kind, sizeof(Bits), descending};
  encode_numbers(order, array.data(), numbers.size(), stream.handle());
  const std::vector<Bits> codes = array.download();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto ascending = static_cast<Bits>(encode_number(kind, numbers[i], sizeof(Bits)));
    ASSERT_EQ(codes[i], descending ? static_cast<Bits>(~ascending) : ascending);
  }
  decode_numbers(order, array.data(), numbers.size(), stream.handle());
  EXPECT_EQ(array.download(), numbers);
}

TEST(NumberCodecGpu, CodesAreThoseOfTheKeyPlanAndDecodeToTheNumbers) {
  SORTIE_REQUIRE_GPU();
  for (const FieldKind kind : {FieldKind::kUnsigned, FieldKind::kSigned, FieldKind::kFloat}) {
    for (const bool descending : {false, true}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + (descending ? ", descending" : ""));
      expect_codes<std::uint32_t>(kind, descending);
      expect_codes<std::uint64_t>(kind, descending);
    }
  }
}

TEST(NumberCodec, OnlyAscendingUnsignedNumbersAreTheirOwnCodes) {
  EXPECT_FALSE(needs_codec({FieldKind::kUnsigned, 4, false}));
  EXPECT_TRUE(needs_codec({FieldKind::kUnsigned, 4, true}));
  EXPECT_TRUE(needs_codec({FieldKind::kSigned, 8, false}));
  EXPECT_TRUE(needs_codec({FieldKind::kFloat, 8, false}));
}

}  // namespace
}  // namespace sortie::kernels
