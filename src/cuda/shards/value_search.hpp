// A search for one value by several tries at a time. rank_cuts.hpp finds by it where sorted shards are cut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sortie::cuda {

/// Finds the least value for which a condition holds that also holds for all greater values, by several tries at a
/// time. Pure: the caller does the trying.
///
///   values   | no no no | no no no | no YES yes | yes yes yes |
///   tries             ^          ^            ^                     the next search is among the three before the last
class ValueSearch {
 public:
  /// Searches among 0 .. greatest; the condition must hold for `greatest`.
  explicit ValueSearch(std::uint64_t greatest) : high_(greatest) {}

  bool is_found() const { return low_ == high_; }
  /// Precondition: is_found().
  std::uint64_t value() const { return low_; }

  /// Appends `tries` values, ascending, perhaps some of them twice.
  void append_tries(unsigned tries, std::vector<std::uint64_t>& values) const {
    for (unsigned t = 0; t < tries; ++t) values.push_back(try_at(t, tries));
  }

  /// `first`: the first of those values for which the condition holds; `tries` if there is none.
  void narrow(unsigned tries, unsigned first) {
    const std::uint64_t low = first == 0 ? low_ : std::min(try_at(first - 1, tries) + 1, high_);
    if (first < tries) high_ = try_at(first, tries);
    low_ = low;
  }

 private:
  /// The last value of piece t, where the values that are left are cut into tries + 1 equal pieces.
  std::uint64_t try_at(unsigned t, unsigned tries) const {
    const std::uint64_t range = high_ - low_;
    const std::uint64_t step = range / (tries + 1) + 1;
    return low_ + std::min(range, step * (t + 1) - 1);
  }

  std::uint64_t low_ = 0;
  std::uint64_t high_;
};

}  // namespace sortie::cuda
