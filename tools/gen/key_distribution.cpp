#include "tools/gen/key_distribution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "tools/gen/mix.hpp"

namespace sortie::tools {
namespace {

constexpr std::uint64_t kFewKeys = 16;
constexpr std::uint64_t kStrayEvery = 100;
constexpr double kLogZipfKeys = 20;          // base 2
constexpr std::uint64_t kRandomSalt = 0x7a;  // keeps random() apart from the keys of the same record

constexpr std::array<std::pair<std::string_view, Distribution>, 8> kNames{{
    {"uniform", Distribution::kUniform},
    {"zipf", Distribution::kZipf},
    {"few", Distribution::kFew},
    {"prefix", Distribution::kPrefix},
    {"sorted", Distribution::kSorted},
    {"reversed", Distribution::kReversed},
    {"nearly", Distribution::kNearly},
    {"constant", Distribution::kConstant},
}};

/// Draws rank k in [1, 2^20] with probability log(1 + 1/k) / log(2^20 + 1), which tends to 1/k. Uses inversion instead
/// of rejection, so that one random number gives one rank.
std::uint64_t zipf_rank(std::uint64_t random) {
  const double fraction = static_cast<double>(random >> 11) * 0x1p-53;
  return static_cast<std::uint64_t>(std::exp2(fraction * kLogZipfKeys));
}

}  // namespace

Distribution parse_distribution(std::string_view word) {
  std::string known;
  for (const auto& [name, distribution] : kNames) {
    if (name == word) return distribution;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Error("unknown distribution '" + escape_unprintable(word) + "'; known: " + known);
}

KeyDistribution::KeyDistribution(Distribution distribution, std::uint64_t first_record, std::uint64_t record_count,
                                 std::uint64_t seed)
    : kind_(distribution),
      first_record_(first_record),
      seed_(mix_bits(seed)),
      step_(~std::uint64_t{0} / std::max<std::uint64_t>(record_count, 1)) {}

void KeyDistribution::fill(std::uint64_t begin, std::span<std::uint64_t> codes) const {
  const auto each = [&](auto code_at) {
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = code_at(begin + i);
  };
  const auto draw = [this](std::uint64_t position) { return random_at(seed_, first_record_ + position); };
  const auto ascending = [&](std::uint64_t position) {
    return position * step_ + scale_fraction(draw(position), step_);
  };
  switch (kind_) {
    case Distribution::kUniform:
      return each(draw);
    case Distribution::kZipf:
      return each([&](auto position) { return random_at(seed_, zipf_rank(draw(position))); });
    case Distribution::kFew:
    case Distribution::kPrefix:
      return each([&](auto position) { return random_at(seed_, draw(position) % kFewKeys); });
    case Distribution::kSorted:
      return each(ascending);
    case Distribution::kReversed:
      return each([&](auto position) { return ~ascending(position); });
    case Distribution::kNearly:
      return each(
          [&](auto position) { return random(position) % kStrayEvery == 0 ? draw(position) : ascending(position); });
    case Distribution::kConstant:
      return each([this](auto) { return random_at(seed_, 0); });
  }
}

std::uint64_t KeyDistribution::random(std::uint64_t position) const {
  return random_at(seed_ ^ kRandomSalt, first_record_ + position);
}

}  // namespace sortie::tools
