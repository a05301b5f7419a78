#include "engine/cpu/splitters.hpp"

#include <limits>
#include <utility>

namespace sortie {

Splitters::Splitters(std::vector<std::uint64_t> sample, std::size_t wanted) {
  keys_.fill(std::numeric_limits<std::uint64_t>::max());
  std::sort(sample.begin(), sample.end());
  wanted = std::min(wanted, kMaxSplitters);
  for (std::size_t i = 0; i < wanted && !sample.empty(); ++i) {
    const std::uint64_t key = sample[(i + 1) * sample.size() / (wanted + 1)];
    if (count_ == 0 || keys_[count_ - 1] != key) keys_[count_++] = key;
  }
}

std::vector<std::size_t> turn_counts_into_positions(std::vector<std::vector<std::size_t>>& counts) {
  std::vector<std::size_t> begins;
  std::size_t next = 0;
  for (std::size_t bucket = 0; bucket < counts[0].size(); ++bucket) {
    begins.push_back(next);
    for (std::vector<std::size_t>& range : counts) next += std::exchange(range[bucket], next);
  }
  begins.push_back(next);
  return begins;
}

}  // namespace sortie
