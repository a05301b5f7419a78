#include "entries/vector_sort.hpp"

#include <gtest/gtest.h>

#include "support/distributions.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

// Sizes around the one below which std::sort takes over, and well beyond one vector.
constexpr std::size_t kSizes[] = {0, 1, 2, 3, 15, 16, 17, 18, 63, 64, 65, 255, 256, 1000, 20'000};

template <class Number>
void expect_numbers_sorted() {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    for (const std::size_t size : kSizes) {
      auto numbers = make_keys<Number>(distribution, size, size + 1);
      // Vector code pads its registers with these values.
      if (size > 20) numbers[3] = numbers[11] = std::numeric_limits<Number>::max();
      if (size > 20) numbers[5] = 0;
      auto expected = numbers;
      std::ranges::sort(expected);
      vector_sort(std::span(numbers));
      ASSERT_EQ(numbers, expected) << to_string(distribution) << ", " << size;
    }
  }
}

TEST(VectorSort, SortsNumbersOf32Bits) { expect_numbers_sorted<std::uint32_t>(); }

TEST(VectorSort, SortsNumbersOf64Bits) { expect_numbers_sorted<std::uint64_t>(); }

template <class Number, class Sort>
void expect_sorted_by(const Sort& sort) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    for (const std::size_t size : kSizes) {
      auto numbers = make_keys<Number>(distribution, size, size + 2);
      auto expected = numbers;
      std::ranges::sort(expected);
      sort(numbers.data(), size);
      ASSERT_EQ(numbers, expected) << to_string(distribution) << ", " << size;
    }
  }
}

TEST(VectorQuicksorts, OfEveryKindOfVectorsSort) {
  const std::span<const VectorQuicksorts> all = vector_quicksorts();
  ASSERT_FALSE(all.empty());
  for (const VectorQuicksorts& sorts : all) {
    SCOPED_TRACE(&sorts - all.data());
    expect_sorted_by<std::uint32_t>(sorts.of_32_bits);
    expect_sorted_by<std::uint64_t>(sorts.of_64_bits);
    expect_sorted_by<unsigned __int128>([&](unsigned __int128* numbers, std::size_t count) {
      sorts.of_halves(reinterpret_cast<std::uint64_t*>(numbers), count);
    });
  }
}

TEST(VectorSort, SortsEntriesByWordThenLocation) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    for (const std::size_t size : kSizes) {
      const auto words = make_keys<std::uint64_t>(distribution, size, 3);
      const auto locations = make_keys<std::uint64_t>(Distribution::kUniform, size, 4);
      std::vector<Entry> entries(size);
      for (std::size_t i = 0; i < size; ++i) entries[i] = {locations[i], words[i]};
      if (size > 20) entries[7].word = entries[9].word = std::numeric_limits<std::uint64_t>::max();
      std::vector<Entry> expected = entries;
      std::ranges::sort(expected, [](const Entry& a, const Entry& b) {
        return std::pair(a.word, a.location) < std::pair(b.word, b.location);
      });
      vector_sort(std::span(entries));
      ASSERT_EQ(entries, expected) << to_string(distribution) << ", " << size;
    }
  }
}

// Words that leave no bits for an index beside them, and that differ in their last bits.
TEST(VectorSort, SortsEntriesWhoseWordsDifferInTheirLastBits) {
  for (const std::size_t size : {64, 1000, 20'000, 70'000}) {
    const auto random = make_keys<std::uint64_t>(Distribution::kUniform, size, 5);
    std::vector<Entry> entries(size);
    for (std::size_t i = 0; i < size; ++i) {
      entries[i] = {random[i] >> 32, (random[i] & 7) << 61 | (random[i] >> 8 & 15)};
    }
    std::vector<Entry> expected = entries;
    std::sort(expected.begin(), expected.end());
    vector_sort(std::span(entries));
    ASSERT_EQ(entries, expected) << size;
  }
}

}  // namespace
}  // namespace sortie
