// A stable sort of numbers of any type on the host, by the codes of the key plan. The tests of sorts and merges expect
// its result, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/common/key_codec.hpp"
#include "kernels/sort_types.hpp"
#include "record/key_plan.hpp"

namespace sortie::kernels {

inline constexpr SortOrder kBothOrders[] = {SortOrder::kAscending, SortOrder::kDescending};

inline std::string to_string(SortOrder order) { return order == SortOrder::kAscending ? "ascending" : "descending"; }

template <class Number>
std::vector<Number> from_bits(const std::vector<CodeOf<Number>>& bits) {
  std::vector<Number> numbers(bits.size());
  if (!bits.empty()) std::memcpy(numbers.data(), bits.data(), bits.size() * sizeof(Number));
  return numbers;
}

/// The numbers with these codes.
template <class Number>
std::vector<Number> from_codes(std::vector<CodeOf<Number>> codes, SortOrder order) {
  for (CodeOf<Number>& code : codes) {
    if (order == SortOrder::kDescending) code = static_cast<CodeOf<Number>>(~code);
    code = static_cast<CodeOf<Number>>(decode_number(kKindOf<Number>, code, sizeof(Number)));
  }
  return from_bits<Number>(codes);
}

/// 0, 1, ... count - 1.
template <class Position = std::uint64_t>
std::vector<Position> first_positions(std::uint64_t count) {
  std::vector<Position> positions(count);
  std::iota(positions.begin(), positions.end(), Position{0});
  return positions;
}

template <class Number>
struct StableSorted {
  std::vector<Number> numbers;
  std::vector<std::uint64_t> positions;  ///< original positions of the numbers
};

template <class Number>
StableSorted<Number> stable_sorted(const std::vector<Number>& numbers, SortOrder order) {
  std::vector<std::uint64_t> codes(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t code =
        encode_number(kKindOf<Number>, std::bit_cast<CodeOf<Number>>(numbers[i]), sizeof(Number));
    codes[i] = order == SortOrder::kAscending ? code : ~code;
  }
  StableSorted<Number> sorted{std::vector<Number>(numbers.size()), first_positions(numbers.size())};
  std::ranges::stable_sort(sorted.positions, {}, [&](std::uint64_t i) { return codes[i]; });
  for (std::size_t i = 0; i < numbers.size(); ++i) sorted.numbers[i] = numbers[sorted.positions[i]];
  return sorted;
}

/// Compares bits, because a NaN is not equal to itself.
template <class Number>
void expect_same_bits(const std::vector<Number>& actual, const std::vector<Number>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(std::bit_cast<CodeOf<Number>>(actual[i]), std::bit_cast<CodeOf<Number>>(expected[i])) << "at " << i;
  }
}

}  // namespace sortie::kernels
