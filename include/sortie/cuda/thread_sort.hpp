// Sorts of a few items that one thread holds. They are networks of comparators whose indices are all known at compile
// time, so that the items stay in registers. Host and device functions: block_sort.cuh and the device-wide merge sort
// begin with them. They synchronise nothing and use no shared memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include <sortie/cuda/device_marks.hpp>

namespace sortie::cuda {

/// a < b: the order of items where none is given. NaNs have no place in it.
struct Less {
  template <class T>
  SORTIE_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

/// a > b, for descending order.
struct Greater {
  template <class T>
  SORTIE_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const {
    return a > b;
  }
};

/// The order that device-wide functions give floats, the totalOrder of IEEE 754: -NaN, -inf, ... -0, +0, ... +inf,
/// +NaN.
struct TotalOrder {
  static constexpr bool kIsTotal = true;  ///< numbers that tie are the same

  SORTIE_HOST_DEVICE bool operator()(float a, float b) const { return code<std::int32_t>(a) < code<std::int32_t>(b); }
  SORTIE_HOST_DEVICE bool operator()(double a, double b) const { return code<std::int64_t>(a) < code<std::int64_t>(b); }

 private:
  /// A signed integer of the same order: negative floats have all bits below the sign flipped.
  template <class Bits, class Float>
  SORTIE_HOST_DEVICE static Bits code(Float number) {
    Bits bits;
    std::memcpy(&bits, &number, sizeof(bits));
    constexpr unsigned kSignBit = 8 * sizeof(Bits) - 1;
    return bits ^ ((bits >> kSignBit) & ~(Bits{1} << kSignBit));
  }
};

/// Calls use<0>(), use<1>(), ... use<kCount - 1>().
template <unsigned kCount, class Use>
SORTIE_HOST_DEVICE void for_constants(const Use& use) {
  [&]<unsigned... kIndices>(std::integer_sequence<unsigned, kIndices...>) {
    (use.template operator()<kIndices>(), ...);
  }
  (std::make_integer_sequence<unsigned, kCount>{});
}

/// Sorts the first `count` items by odd-even transposition, all of them if no count is given. Comparators join
/// neighbours only, so the sort is stable. `before(x, y)` says whether x comes strictly before y. kItems^2 / 2
/// comparators, so for some 30 items at most. Habermann, "Parallel Neighbor-Sort", 1972.
template <unsigned kItems, class Item, class Before = Less>
SORTIE_HOST_DEVICE void sort_stably_in_registers(Item (&items)[kItems], const Before& before = {},
                                                 unsigned count = kItems) {
  for_constants<kItems>([&]<unsigned kStep>() {
    constexpr unsigned kFirst = kStep % 2;
    for_constants<(kItems - kFirst) / 2>([&]<unsigned kPair>() {
      Item& left = items[kFirst + 2 * kPair];
      Item& right = items[kFirst + 2 * kPair + 1];
      const bool swaps = kFirst + 2 * kPair + 1 < count && before(right, left);
      const Item low = swaps ? right : left;
      right = swaps ? left : right;
      left = low;
    });
  });
}

}  // namespace sortie::cuda
