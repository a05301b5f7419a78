// Runs of the last level: what is written compares as the weights themselves do.
#include <gtest/gtest.h>

#include <compare>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "record/collation/sign_runs.hpp"

namespace sortie {
namespace {

constexpr Weight weight(Weight byte) { return byte << 56; }
constexpr Weight kForetold = weight(0x50);

struct Element {
  Weight place = kNextPlace;
  Weight weight = kForetold;

  friend auto operator<=>(const Element&, const Element&) = default;
};
using Level = std::vector<Element>;

std::string written(const SignRuns& runs, const WeightCode& code, const Level& level) {
  std::string bytes(16 * level.size() + 8, '\0');
  char* next = bytes.data();
  std::size_t run = 0;
  for (const Element& element : level) {
    if (element == Element{}) {
      ++run;
      continue;
    }
    if (element.place != kNextPlace) {
      next = code.put(element.weight, put_weight(element.place, runs.put_farther(run, next)));
    } else if (element.weight > kForetold) {
      next = code.put(element.weight, runs.put_greater(run, next));
    } else {
      const std::uint8_t sign = code.byte_of(element.weight);
      next = runs.put_sign(run, sign, next);
      next = code.is_gap(sign) ? put_weight(element.weight, next) : next;
    }
    run = 0;
  }
  next = runs.put_end(run, next);
  bytes.resize(static_cast<std::size_t>(next - bytes.data()));
  return bytes;
}

std::vector<Level> random_levels(std::mt19937& random) {
  std::vector<Level> levels(300);
  for (Level& level : levels) {
    for (std::size_t parts = random() % 4; parts > 0; --parts) {
      level.resize(level.size() + (random() % 3 == 0 ? random() % 100 : random() % 4));
      level.push_back(
          {.place = weight(random() % 5 == 0 ? 2 + random() % 2 : 1), .weight = weight(2 + random() % 0x7e)});
    }
    level.resize(level.size() + random() % 3);
  }
  return levels;
}

void expect_same_order(const std::vector<Weight>& signs, Weight blank) {
  std::mt19937 random(20276);
  const WeightCode code(signs);
  const SignRuns runs(code, signs, blank);
  const std::vector<Level> levels = random_levels(random);
  for (const Level& a : levels) {
    for (const Level& b : levels) {
      EXPECT_EQ(written(runs, code, a) < written(runs, code, b), a < b);
    }
  }
}

std::vector<Weight> signs_from_to(unsigned first, unsigned last) {
  std::vector<Weight> signs;
  for (unsigned byte = first; byte <= last; ++byte) signs.push_back(weight(byte));
  return signs;
}

TEST(SignRuns, ComparesAsTheLevelsDo) { expect_same_order(signs_from_to(0x08, 0x30), weight(0x10)); }

TEST(SignRuns, OfSignsApart) {
  expect_same_order({weight(0x03), weight(0x05), weight(0x20), weight(0x21), weight(0x22), weight(0x40)}, weight(0x21));
}

TEST(SignRuns, OfMoreSignsThanAreShort) { expect_same_order(signs_from_to(0x02, 0x4f), weight(0x4f)); }

TEST(SignRuns, WithoutABlank) { expect_same_order(signs_from_to(0x08, 0x30), weight(0x35)); }

TEST(SignRuns, WithoutSigns) { expect_same_order({}, weight(0x10)); }

TEST(SignRuns, FrequentSignsTakeOneByte) {
  const std::vector<Weight> signs = signs_from_to(0x08, 0x28);
  const WeightCode code(signs);
  const SignRuns runs(code, signs, weight(0x08));
  const Element blank{.weight = weight(0x08)};
  const Element comma{.weight = weight(0x20)};
  EXPECT_EQ(written(runs, code, {comma}).size(), 2U);
  EXPECT_EQ(written(runs, code, {{}, {}, {}, {}, {}, {}, blank}).size(), 2U);
  EXPECT_EQ(written(runs, code, {{}, {}, {}, {}, {}, {}, comma}).size(), 3U);
}

}  // namespace
}  // namespace sortie
