// Cuts the range of numbers into buckets at multiples of a power of two, so that one look at a table gives the bucket
// of a number. To count a number takes 1.1 ns and to scatter it 2.5, where Splitters take 2.6 and 4 (AMD EPYC, GCC 12,
// 100 million u64). Only Splitters have buckets for equal numbers, and cut between any two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sortie {

class CellBuckets {
 public:
  /// The cells, the counts and the blocks of a scatter to more would not fit the fastest cache: 10 GB of u64 in 4096
  /// took longer to scatter than was saved when they were sorted.
  static constexpr std::size_t kMaxBuckets = 1 << 10;
  /// So many keep all threads busy.
  static constexpr std::size_t kEnoughBuckets = 1 << 8;

  /// At most `wanted` buckets (up to kMaxBuckets) that share the sample evenly: fewer, down to enough, where they share
  /// it better. None if that cannot be: where many samples are equal, or nearly so. Precondition: the sample is in
  /// order.
  static std::optional<CellBuckets> sharing(std::span<const std::uint64_t> sample, std::size_t wanted);

  std::size_t bucket_count() const { return bucket_count_; }

  /// Finds buckets, for a loop that keeps a copy of its own: of members the compiler does not know that they stay as
  /// they are while the loop writes numbers.
  class Finder {
   public:
    explicit Finder(const CellBuckets& buckets)
        : least_(buckets.least_),
          last_cell_(buckets.last_cell_),
          cell_shift_(buckets.cell_shift_),
          bucket_of_cell_(buckets.bucket_of_cell_.data()) {}

    /// Greater numbers have no smaller bucket. O(1).
    std::size_t bucket_of(std::uint64_t number) const {
      const std::uint64_t distance = number < least_ ? 0 : number - least_;
      return bucket_of_cell_[std::min(distance >> cell_shift_, last_cell_)];
    }

   private:
    std::uint64_t least_;
    std::uint64_t last_cell_;
    unsigned cell_shift_;
    const std::uint16_t* bucket_of_cell_;
  };

  /// Must not outlive this.
  Finder finder() const { return Finder(*this); }
  std::size_t bucket_of(std::uint64_t number) const { return finder().bucket_of(number); }

 private:
  /// The same with so many cells, a power of two. Precondition: there are samples, and buckets are wanted.
  static std::optional<CellBuckets> of_cells(std::span<const std::uint64_t> sample, std::size_t wanted,
                                             std::size_t cells);

  CellBuckets() = default;

  std::uint64_t least_ = 0;
  std::uint64_t last_cell_ = 0;
  unsigned cell_shift_ = 0;
  std::size_t bucket_count_ = 1;
  std::vector<std::uint16_t> bucket_of_cell_;
};

}  // namespace sortie
