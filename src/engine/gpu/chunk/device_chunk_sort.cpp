#include "engine/gpu/chunk/device_chunk_sort.hpp"

#include <algorithm>

#include "base/size.hpp"
#include "device/copy.hpp"
#include "kernels/bitonic_sort.hpp"
#include "kernels/merge.hpp"
#include "kernels/merge_sort.hpp"
#include "kernels/odd_even_sort.hpp"
#include "kernels/split_radix_sort.hpp"

namespace sortie::gpu {
namespace {

kernels::EqualLists odd_even_lists(std::uint64_t count) { return {count, kOddEvenListItems}; }

template <class Key>
void odd_even_sort(Key* keys, Key* alternate, std::uint64_t count, void* scratch, const CudaStream& stream) {
  kernels::odd_even_sort_keys(keys, count, kOddEvenListItems, scratch, stream.handle());
  const kernels::MergeResult result =
      kernels::merge_equal_lists(keys, alternate, odd_even_lists(count), scratch, stream.handle());
  if (result == kernels::MergeResult::kAlternate) copy_on_device(keys, alternate, count * sizeof *keys, stream);
}

void odd_even_sort(const kernels::PrefixPairs& pairs, const kernels::PrefixPairs& alternate, std::uint64_t count,
                   void* scratch, const CudaStream& stream) {
  kernels::odd_even_sort_pairs(pairs, count, kOddEvenListItems, scratch, stream.handle());
  const kernels::MergeResult result =
      kernels::merge_equal_lists(pairs, alternate, odd_even_lists(count), nullptr, scratch, stream.handle());
  if (result == kernels::MergeResult::kPrimary) return;
  copy_on_device(pairs.prefixes, alternate.prefixes, count * sizeof *pairs.prefixes, stream);
  copy_on_device(pairs.indices, alternate.indices, count * sizeof *pairs.indices, stream);
}

template <class Key>
void sort_keys(Algorithm algorithm, Key* keys, Key* alternate, std::uint64_t count, void* scratch,
               const CudaStream& stream) {
  switch (algorithm) {
    case Algorithm::kBitonic:
      return kernels::bitonic_sort_keys(keys, count, stream.handle());
    case Algorithm::kMerge:
      return kernels::merge_sort_keys(keys, alternate, count, scratch, stream.handle());
    case Algorithm::kOddEven:
      return odd_even_sort(keys, alternate, count, scratch, stream);
    case Algorithm::kSplitRadix:
      return kernels::split_radix_sort_keys(keys, alternate, count, scratch, stream.handle());
    case Algorithm::kAuto:
    case Algorithm::kRadix:
      return kernels::radix_sort_keys(keys, alternate, count, {0, 8 * sizeof(Key)}, scratch, stream.handle());
  }
}

}  // namespace

std::vector<OutputPart> fixed_parts(std::uint64_t byte_count, std::uint64_t record_bytes, std::uint64_t part_bytes) {
  const std::uint64_t step = round_down(part_bytes, record_bytes);
  std::vector<OutputPart> parts;
  for (std::uint64_t begin = 0; begin < byte_count; begin += step) {
    parts.push_back({begin, std::min(begin + step, byte_count)});
  }
  return parts;
}

std::vector<OutputPart> line_parts(std::span<const kernels::LineCut> cuts, std::uint64_t part_bytes) {
  std::vector<OutputPart> parts;
  std::uint64_t begin = 0;
  for (const kernels::LineCut& cut : cuts) {
    // All lines but the last begin within one stride; only the last can make the part too long.
    if (cut.byte - begin > part_bytes && cut.previous_byte > begin) {
      parts.push_back({begin, cut.previous_byte});
      begin = cut.previous_byte;
    }
    if (cut.byte > begin) parts.push_back({begin, cut.byte});
    begin = cut.byte;
  }
  return parts;
}

std::uint64_t chunk_sort_scratch_bytes(Algorithm algorithm, std::uint64_t count) {
  switch (algorithm) {
    case Algorithm::kBitonic:
      return 0;
    case Algorithm::kMerge:
      return kernels::merge_sort_scratch_bytes(count);
    case Algorithm::kOddEven:
      return std::max(kernels::odd_even_scratch_bytes(count, kOddEvenListItems),
                      kernels::equal_lists_scratch_bytes(odd_even_lists(count)));
    case Algorithm::kSplitRadix:
      return kernels::split_radix_scratch_bytes(count);
    case Algorithm::kAuto:
    case Algorithm::kRadix:
      break;
  }
  return kernels::radix_sort_scratch_bytes(count);
}

void sort_chunk(Algorithm algorithm, std::uint32_t* keys, std::uint32_t* alternate, std::uint64_t count, void* scratch,
                const CudaStream& stream) {
  sort_keys(algorithm, keys, alternate, count, scratch, stream);
}

void sort_chunk(Algorithm algorithm, std::uint64_t* keys, std::uint64_t* alternate, std::uint64_t count, void* scratch,
                const CudaStream& stream) {
  sort_keys(algorithm, keys, alternate, count, scratch, stream);
}

void sort_chunk(Algorithm algorithm, const kernels::PrefixPairs& pairs, const kernels::PrefixPairs& alternate,
                std::uint64_t count, kernels::BitRange bits, const kernels::RecordKeys& keys, void* scratch,
                const CudaStream& stream) {
  switch (algorithm) {
    case Algorithm::kBitonic:
      return kernels::bitonic_sort_pairs(pairs.prefixes, pairs.indices, count, stream.handle());
    case Algorithm::kMerge:
      return kernels::merge_sort_pairs(pairs, alternate, count, keys.exceed_prefix() ? &keys : nullptr, scratch,
                                       stream.handle());
    case Algorithm::kOddEven:
      return odd_even_sort(pairs, alternate, count, scratch, stream);
    case Algorithm::kSplitRadix:
      return kernels::split_radix_sort_pairs(pairs, alternate, count, scratch, stream.handle());
    case Algorithm::kAuto:
    case Algorithm::kRadix:
      return kernels::radix_sort_pairs(pairs.prefixes, alternate.prefixes, pairs.indices, alternate.indices, count,
                                       bits, scratch, stream.handle());
  }
}

}  // namespace sortie::gpu
