#include "engine/cpu/cell_buckets.hpp"

#include <bit>

#include "base/size.hpp"

namespace sortie {
namespace {

/// A bucket that holds so many times its share of the sample makes others wait for it.
constexpr std::size_t kTimesItsShare = 4;

/// The fastest cache has room for so many cells and more. Those that numbers crowd in are found in it even if there are
/// more: floating-point numbers lie mostly at the two ends of their range, or around two points of it, if they are
/// small and of both signs.
constexpr std::size_t kFewCells = 1 << 13;
constexpr std::size_t kManyCells = 1 << 16;
constexpr std::size_t kMostCells = 1 << 18;
constexpr std::size_t kCellsOfBucket = 8;

}  // namespace

// Fewer buckets are easier to share evenly.
std::optional<CellBuckets> CellBuckets::sharing(std::span<const std::uint64_t> sample, std::size_t wanted) {
  if (sample.empty()) return std::nullopt;
  wanted = std::min(wanted, kMaxBuckets);
  const std::size_t least = std::min(wanted, kEnoughBuckets);
  for (; wanted > 0 && wanted >= least; wanted /= 2) {
    for (const std::size_t cells :
         {std::max(kFewCells, std::bit_ceil(kCellsOfBucket * wanted)), kManyCells, kMostCells}) {
      if (std::optional<CellBuckets> buckets = of_cells(sample, wanted, cells)) return buckets;
    }
  }
  return std::nullopt;
}

std::optional<CellBuckets> CellBuckets::of_cells(std::span<const std::uint64_t> sample, std::size_t wanted,
                                                 std::size_t cells) {
  const auto range_bits = static_cast<unsigned>(std::bit_width(sample.back() - sample.front()));
  const auto cell_bits = static_cast<unsigned>(std::bit_width(cells - 1));
  CellBuckets buckets;
  buckets.least_ = sample.front();
  buckets.last_cell_ = cells - 1;
  buckets.cell_shift_ = range_bits - std::min(range_bits, cell_bits);
  const std::size_t share = divide_up(sample.size(), wanted);
  std::size_t bucket_begin = 0;
  std::size_t at = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (at - bucket_begin >= share && at < sample.size()) {
      bucket_begin = at;
      ++buckets.bucket_count_;
    }
    buckets.bucket_of_cell_.push_back(static_cast<std::uint16_t>(buckets.bucket_count_ - 1));
    while (at < sample.size() && (sample[at] - buckets.least_) >> buckets.cell_shift_ == cell) ++at;
    if (at - bucket_begin > kTimesItsShare * share) return std::nullopt;
  }
  return buckets;
}

}  // namespace sortie
