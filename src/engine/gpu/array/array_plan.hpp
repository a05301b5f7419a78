// How an array of numbers is divided among GPUs, by position and by value, and each share into chunks and parts. Pure:
// numbers in, numbers out.
//
//   array   | share of GPU 0    | share of GPU 1    | ...
//   share   | chunk | chunk | chunk | rest |             sorted one by one as they arrive
//   share   | part | part | part | part | rest |         sent back one by one
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sortie::gpu {

/// Where the shares of `devices` GPUs begin, and the end of the last one; their sizes differ by one number at most.
std::vector<std::uint64_t> array_shares(std::uint64_t count, unsigned devices);

/// Numbers in a chunk of a share of `count`: a sixteenth, so that little is left to sort when the last one has arrived,
/// but not so few that the GPU idles. A multiple of kChunkAlignment.
std::uint64_t array_chunk(std::uint64_t count);

/// Numbers in a part of a share of `count`: a 32nd, so that the way back soon begins, but not so few that a transfer
/// takes no time. A multiple of kernels::kPackedBlockCodes.
std::uint64_t array_part(std::uint64_t count);

/// Ranks in the whole at which the parts of all shares begin, and the end of the last one. `begins`: array_shares().
std::vector<std::uint64_t> array_part_ranks(const std::vector<std::uint64_t>& begins, std::uint64_t part);

/// Device memory that a share of `count` numbers of `number_bytes` takes: twice the share, and scratch. `sequences`:
/// how many sorted arrays are merged into it, part by part; 1: nothing is merged.
std::uint64_t array_device_bytes(std::uint64_t count, unsigned number_bytes, unsigned sequences);

/// Scratch bytes of the kernels that sort and merge it; they take turns.
std::uint64_t array_scratch_bytes(std::uint64_t count, unsigned sequences);

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

  /// `holds(t)`: whether it holds for value t of those.
  template <class Holds>
  void narrow(unsigned tries, const Holds& holds) {
    unsigned first = 0;
    while (first < tries && !holds(first)) ++first;
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

}  // namespace sortie::gpu
