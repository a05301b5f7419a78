// Curves: each place is one cell, the next place of Hilbert's is a neighbour, and z-order is what its definition says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "table/curve/curve_words.hpp"

namespace sortie::table {
namespace {

using Points = std::vector<std::vector<std::uint32_t>>;  // by dimension, then by point

Points all_cells(std::size_t dimensions, unsigned bits) {
  const std::size_t count = std::size_t{1} << (bits * dimensions);
  Points points(dimensions, std::vector<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      points[d][i] = static_cast<std::uint32_t>(i >> (bits * d)) & ((std::uint32_t{1} << bits) - 1);
    }
  }
  return points;
}

std::vector<std::vector<std::uint64_t>> words_of(Curve curve, const Points& points, unsigned bits) {
  const std::size_t count = points[0].size();
  std::vector<std::vector<std::uint64_t>> words(curve_words(points.size(), bits),
                                                std::vector<std::uint64_t>(count, 0xABCDEF));
  std::vector<const std::uint32_t*> coordinates;
  for (const auto& values : points) coordinates.push_back(values.data());
  std::vector<std::uint64_t*> out;
  for (auto& word : words) out.push_back(word.data());
  write_curve_words(curve, bits, coordinates, count, out);
  return words;
}

TEST(CurveWords, HilbertPassesEveryCellOnceFromNeighbourToNeighbour) {
  for (const auto& [dimensions, most_bits] :
       std::vector<std::pair<std::size_t, unsigned>>{{2, 7}, {3, 5}, {4, 4}, {5, 2}, {8, 1}}) {
    for (unsigned bits = 1; bits <= most_bits; ++bits) {
      const Points points = all_cells(dimensions, bits);
      const auto places = words_of(Curve::kHilbert, points, bits)[0];
      std::vector<std::size_t> cell_at(places.size(), places.size());
      for (std::size_t i = 0; i < places.size(); ++i) {
        ASSERT_LT(places[i], places.size());
        ASSERT_EQ(cell_at[places[i]], places.size()) << "two cells have one place";
        cell_at[places[i]] = i;
      }
      for (std::size_t place = 1; place < places.size(); ++place) {
        std::uint64_t steps = 0;
        for (const auto& values : points) {
          const std::uint32_t one = values[cell_at[place]];
          const std::uint32_t other = values[cell_at[place - 1]];
          steps += std::max(one, other) - std::min(one, other);
        }
        ASSERT_EQ(steps, 1) << dimensions << " dimensions, " << bits << " bits, place " << place;
      }
    }
  }
}

TEST(CurveWords, ZOrderInterleavesBits) {
  std::mt19937_64 random(1);
  for (std::size_t dimensions = 2; dimensions <= kMostDimensions; ++dimensions) {
    const unsigned bits = curve_bits(dimensions);
    Points points(dimensions, std::vector<std::uint32_t>(1000));
    for (auto& values : points) {
      for (auto& value : values) value = static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << bits) - 1));
    }
    const auto words = words_of(Curve::kZ, points, bits);
    for (std::size_t i = 0; i < 1000; ++i) {
      std::vector<bool> expected;
      for (unsigned bit = bits; bit-- > 0;) {
        for (const auto& values : points) expected.push_back(((values[i] >> bit) & 1) != 0);
      }
      std::vector<bool> found;
      // The second of two words has 8 bits of each coordinate.
      const std::size_t low = words.size() == 1 ? expected.size() : 8 * dimensions;
      for (std::size_t w = 0; w < words.size(); ++w) {
        const std::size_t width = w + 1 == words.size() ? low : expected.size() - low;
        for (std::size_t bit = width; bit-- > 0;) found.push_back(((words[w][i] >> bit) & 1) != 0);
        if (width < 64) {
          ASSERT_EQ(words[w][i] >> width, 0);
        }
      }
      ASSERT_EQ(found, expected) << dimensions << " dimensions";
    }
  }
}

TEST(CurveWords, TwoWordsOrderAsOneWould) {
  // The last bits of coarse cells are 0: their order is that of the words of fewer bits.
  std::mt19937_64 random(2);
  for (std::size_t dimensions = 5; dimensions <= kMostDimensions; ++dimensions) {
    Points coarse(dimensions, std::vector<std::uint32_t>(500));
    Points fine = coarse;
    for (std::size_t d = 0; d < dimensions; ++d) {
      for (std::size_t i = 0; i < 500; ++i) {
        coarse[d][i] = static_cast<std::uint32_t>(random() & 0xFF);
        fine[d][i] = coarse[d][i] << 8 | static_cast<std::uint32_t>(random() & 0xFF);
      }
    }
    for (const Curve curve : {Curve::kZ, Curve::kHilbert}) {
      const auto one = words_of(curve, coarse, 8);
      const auto two = words_of(curve, fine, 16);
      ASSERT_EQ(one.size(), 1);
      ASSERT_EQ(two.size(), 2);
      EXPECT_EQ(one[0], two[0]);
    }
  }
}

TEST(CurveWords, CountsThatDoNotFillBlocksAreWrittenAndNoMore) {
  for (const std::size_t count : {0, 1, 255, 256, 257, 1000}) {
    const Points all = all_cells(2, 5);
    Points points(2);
    for (std::size_t d = 0; d < 2; ++d)
      points[d].assign(all[d].begin(), all[d].begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<std::uint64_t> words(count + 1, 77);
    const std::uint32_t* const coordinates[] = {points[0].data(), points[1].data()};
    std::uint64_t* const out[] = {words.data()};
    write_curve_words(Curve::kHilbert, 5, coordinates, count, out);
    EXPECT_EQ(words[count], 77);
    const auto expected = words_of(Curve::kHilbert, all, 5)[0];
    EXPECT_TRUE(std::equal(words.begin(), words.end() - 1, expected.begin())) << count;
  }
}

}  // namespace
}  // namespace sortie::table
