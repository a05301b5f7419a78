// Arrays of numbers for benchmarks: filled, checked, and times of sorts of them. Loops are of the calling thread's
// team.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/size.hpp"

namespace sortie::bench {

inline constexpr int kRepeats = 5;
inline constexpr std::size_t kSlice = 1 << 20;

using Clock = std::chrono::steady_clock;

/// Sets numbers[i] to the highest bits of make(random, i).
template <class Number, class Make>
void fill(std::span<Number> numbers, const Make& make) {
  parallel_for(0, divide_up(numbers.size(), kSlice), [&](std::size_t slice) {
    std::mt19937_64 random(slice);
    for (std::size_t i = slice * kSlice; i < std::min(numbers.size(), (slice + 1) * kSlice); ++i) {
      numbers[i] = static_cast<Number>(make(random, i) >> (64 - 8 * sizeof(Number)));
    }
  });
}

template <class Number>
std::uint64_t sum_of(std::span<const Number> numbers) {
  const auto add = [](std::uint64_t sum, Number number) { return sum + static_cast<std::uint64_t>(number); };
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}, add);
}

/// Checks sum and order: a different sum or a descent means that the sort is wrong.
template <class Number>
bool is_sorted_copy(std::span<const Number> input, std::span<const Number> output) {
  std::atomic<std::uint64_t> difference = 0;
  std::atomic<bool> ascends = true;
  parallel_for_ranges(0, input.size(), kSlice, [&](std::size_t begin, std::size_t end) {
    const auto in = input.subspan(begin, end - begin);
    const std::size_t before = begin > 0 ? 1 : 0;  // so that the seam is checked too
    const auto out = output.subspan(begin - before, in.size() + before);
    difference += sum_of(in);
    difference -= sum_of(out.last(in.size()));
    if (!std::ranges::is_sorted(out)) ascends = false;
  });
  return ascends && difference == 0;
}

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

inline double median(std::vector<double> seconds) {
  std::ranges::nth_element(seconds, seconds.begin() + kRepeats / 2);
  return seconds[kRepeats / 2];
}

}  // namespace sortie::bench
