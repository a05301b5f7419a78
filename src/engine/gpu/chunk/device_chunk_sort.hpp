// Sorts the keys or pairs of one chunk by the algorithm that is asked for, and cuts the sorted output into parts. All
// algorithms are stable; odd-even and split radix sort work on lists that are then merged. Used by the record sorters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <sortie/options.hpp>

#include "device/cuda_stream.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/record_keys.hpp"
#include "kernels/records.hpp"

namespace sortie::gpu {

/// A part of the sorted output that a run passes on: whole records, at most part_bytes, except that a longer line is a
/// part alone.
/// Bytes [begin, end) of the output.
struct OutputPart {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t bytes() const { return end - begin; }
  friend bool operator==(const OutputPart&, const OutputPart&) = default;
};

/// Parts of fixed records. Precondition: record_bytes <= part_bytes, byte_count a multiple of record_bytes.
std::vector<OutputPart> fixed_parts(std::uint64_t byte_count, std::uint64_t record_bytes, std::uint64_t part_bytes);

/// Parts of lines, from the cuts at multiples of cut_stride_bytes(part_bytes), the output's end included.
std::vector<OutputPart> line_parts(std::span<const kernels::LineCut> cuts, std::uint64_t part_bytes);

/// Odd-even transposition takes quadratic time: longer chunks are sorted in lists of this many items, which are then
/// merged.
inline constexpr std::uint64_t kOddEvenListItems = 1 << 16;

/// What kAuto stands for: the bitonic sort up to `most_bitonic` items, else the radix sort.
constexpr Algorithm chosen_algorithm(Algorithm asked, std::uint64_t count, std::uint64_t most_bitonic) {
  if (asked != Algorithm::kAuto) return asked;
  return count <= most_bitonic ? Algorithm::kBitonic : Algorithm::kRadix;
}

/// Upper bound on the scratch of a sort of `count` items by `algorithm`.
std::uint64_t chunk_sort_scratch_bytes(Algorithm algorithm, std::uint64_t count);

/// Sorts keys in place; the alternate array is overwritten. Arrays and scratch as in kernels/. `algorithm` is not
/// kAuto. Does not wait. Throws Error if a launch is refused.
void sort_chunk(Algorithm algorithm, std::uint32_t* keys, std::uint32_t* alternate, std::uint64_t count, void* scratch,
                const CudaStream& stream);
void sort_chunk(Algorithm algorithm, std::uint64_t* keys, std::uint64_t* alternate, std::uint64_t count, void* scratch,
                const CudaStream& stream);

/// Whether sort_chunk() orders pairs by the whole of their keys; the others leave that to refine().
constexpr bool sorts_whole_keys(Algorithm algorithm) { return algorithm == Algorithm::kMerge; }

/// Sorts pairs by prefix, in which only `bits` can differ. `keys` are those of the records that the pairs number.
void sort_chunk(Algorithm algorithm, const kernels::PrefixPairs& pairs, const kernels::PrefixPairs& alternate,
                std::uint64_t count, kernels::BitRange bits, const kernels::RecordKeys& keys, void* scratch,
                const CudaStream& stream);

}  // namespace sortie::gpu
