#include "kernels/rows/row_order.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "cuda/host_items.hpp"
#include "kernels/common/key_codec.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kHalfFractionBits = 10;

/// All numbers of 16 bits.
cuda::ItemArray all_short_numbers() {
  cuda::ItemArray numbers{2, cuda::Bytes(2 << 16)};
  for (unsigned i = 0; i <= 0xffff; ++i) std::memcpy(numbers.bytes.data() + 2 * i, &i, 2);
  return numbers;
}

/// Codes of halves and of integers are in the order of `expected`, and give back the key or one that shares the code.
template <class Code>
void expect_codes(cuda::KeyType type, bool is_stable, cuda::Order order) {
  SCOPED_TRACE(cuda::name_of(type) + ", " + cuda::name_of(order) + (is_stable ? ", stable" : ""));
  const RowOrder row_order{{cuda::kind_of(type), 2, order == cuda::Order::kDescending},
                           cuda::is_by_value(type) ? kHalfFractionBits : 0};
  const RowCodec<Code> codec = make_row_codec<Code>(row_order, is_stable);
  const cuda::ItemArray numbers = all_short_numbers();
  const auto expected =
      is_stable ? cuda::codes_of(numbers, type, order) : cuda::codes_without_values(numbers, type, order);
  for (unsigned i = 0; i <= 0xffff; ++i) {
    const Code code = codec.encode(static_cast<Code>(i));
    ASSERT_EQ(code, expected[i] & 0xffff) << i;
    const Code decoded = codec.decode(code);
    ASSERT_EQ(codec.encode(decoded), code) << i;
    if (!codec.is_shared(decoded)) {
      ASSERT_EQ(decoded, i);
    }
    ASSERT_EQ(codec.is_shared(decoded), codec.is_shared(static_cast<Code>(i))) << i;
  }
}

TEST(RowCodec, OrdersAllShortNumbers) {
  using cuda::KeyType;
  for (const cuda::Order order : cuda::kBothOrders) {
    for (const bool is_stable : {false, true}) {
      for (const KeyType type : {KeyType::kUint16, KeyType::kInt16, KeyType::kFloat16, KeyType::kFloat16ByValue}) {
        expect_codes<std::uint32_t>(type, is_stable, order);
        expect_codes<std::uint64_t>(type, is_stable, order);
      }
    }
  }
}

template <class Code>
void expect_key_codec(FieldKind kind, bool descending) {
  const RowCodec<Code> codec = make_row_codec<Code>({{kind, sizeof(Code), descending}}, true);
  const KeyCodec<Code> expected = make_key_codec<Code>(kind, descending);
  for (const Code key : {Code{0}, Code{1}, static_cast<Code>(~Code{0}), static_cast<Code>(~Code{0} >> 1),
                         static_cast<Code>(~(~Code{0} >> 1)), static_cast<Code>(0x9e3779b97f4a7c15)}) {
    EXPECT_EQ(codec.encode(key), expected.encode(key)) << key;
    EXPECT_EQ(codec.decode(codec.encode(key)), key);
    EXPECT_FALSE(codec.is_shared(key));
  }
}

TEST(RowCodec, IsThatOfOtherSortsInTotalOrder) {
  for (const FieldKind kind : {FieldKind::kUnsigned, FieldKind::kSigned, FieldKind::kFloat}) {
    for (const bool descending : {false, true}) {
      expect_key_codec<std::uint32_t>(kind, descending);
      expect_key_codec<std::uint64_t>(kind, descending);
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
