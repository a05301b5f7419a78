#include "entries/splitters.hpp"

#include <bit>
#include <utility>

namespace sortie {

Splitters::Splitters(std::vector<std::uint64_t> sample, std::size_t wanted) {
  keys_.fill(0);
  std::sort(sample.begin(), sample.end());
  wanted = std::min(wanted, kMaxSplitters);
  for (std::size_t i = 0; i < wanted && !sample.empty(); ++i) {
    const std::uint64_t key = sample[(i + 1) * sample.size() / (wanted + 1)];
    if (count_ == 0 || keys_[count_ - 1] != key) keys_[count_++] = key;
  }
  fill_cells();
}

// Keys beyond the last splitter share the last cell with it.
void Splitters::fill_cells() {
  first_of_cell_.fill(static_cast<std::uint8_t>(count_));
  first_of_cell_[0] = 0;
  if (count_ == 0) return;
  least_ = keys_[0];
  const std::uint64_t range = keys_[count_ - 1] - least_;
  const auto range_bits = static_cast<unsigned>(std::bit_width(range));
  const auto cell_bits = static_cast<unsigned>(std::bit_width(kCells - 1));
  cell_shift_ = range_bits > cell_bits ? range_bits - cell_bits : 0;
  std::size_t splitter = 0;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    while (splitter < count_ && (keys_[splitter] - least_) >> cell_shift_ < cell) ++splitter;
    first_of_cell_[cell] = static_cast<std::uint8_t>(splitter);
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
