#include <sortie/cuda/device_strings.hpp>

#include <initializer_list>
#include <limits>

#include "cuda/device_call.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/merge_sort.hpp"
#include "kernels/positions.hpp"
#include "kernels/strings.hpp"

namespace sortie::cuda {
namespace {

/// Pairs of 8 bytes of a string and its position. Positions of 4 bytes are sorted where the caller wants them.
struct StringSortScratch {
  StringSortScratch(std::size_t offset_bytes, std::size_t position_bytes, std::uint64_t count, void* area = nullptr)
      : layout(area) {
    pairs.prefixes = layout.take<std::uint64_t>(count);
    pairs.indices = layout.take<std::uint32_t>(position_bytes == 4 ? 0 : count);
    alternate = {layout.take<std::uint64_t>(count), layout.take<std::uint32_t>(count)};
    offsets = layout.take<std::uint64_t>(offset_bytes == 4 ? count + 1 : 0);
    common_bytes = layout.take<std::uint32_t>(1);
    distinct = layout.take<std::byte>(kernels::string_prefix_scratch_bytes(count));
    kernel = layout.take<std::byte>(kernels::merge_sort_scratch_bytes(count));
  }

  kernels::ScratchLayout layout;
  kernels::PrefixPairs pairs;
  kernels::PrefixPairs alternate;
  std::uint64_t* offsets;
  std::uint32_t* common_bytes;
  std::byte* distinct;
  std::byte* kernel;
};

/// The strings as lines without a delimiter.
kernels::RecordKeys string_keys(const Strings& strings, Order order, const StringSortScratch& scratch,
                                cudaStream_t stream) {
  kernels::RecordKeys keys;
  keys.plan.whole_line = true;
  keys.plan.descending_line = order == Order::kDescending;
  keys.records = static_cast<const std::byte*>(strings.bytes);
  keys.delimiter_bytes = 0;
  keys.offsets = static_cast<const std::uint64_t*>(strings.offsets);
  if (strings.offset_bytes == 4) {
    kernels::widen_numbers(static_cast<const std::uint32_t*>(strings.offsets), strings.count + 1, scratch.offsets,
                           stream);
    keys.offsets = scratch.offsets;
  }
  return keys;
}

void launch_string_sort(const Strings& strings, const Positions& positions, Order order,
                        const StringSortScratch& scratch, cudaStream_t stream) {
  kernels::PrefixPairs pairs = scratch.pairs;
  if (positions.bytes == 4) pairs.indices = static_cast<std::uint32_t*>(positions.data);
  const kernels::RecordKeys keys = string_keys(strings, order, scratch, stream);
  kernels::extract_string_prefixes(keys, strings.count, scratch.common_bytes, pairs, scratch.distinct, stream);
  kernels::merge_sort_pairs(pairs, scratch.alternate, strings.count, &keys, scratch.kernel, stream);
  if (positions.bytes == 8) {
    kernels::widen_numbers(pairs.indices, strings.count, static_cast<std::uint64_t*>(positions.data), stream);
  }
}

}  // namespace

std::size_t argsort_strings_scratch_bytes(std::size_t offset_bytes, std::size_t position_bytes,
                                          std::uint64_t count) noexcept {
  return StringSortScratch(offset_bytes, position_bytes, count).layout.size_bytes();
}

Status argsort_strings(const Strings& strings, Positions positions, Order order, Scratch scratch,
                       cudaStream_t stream) noexcept {
  return answer([&] {
    require_order(order);
    require(strings.offset_bytes == 4 || strings.offset_bytes == 8, "offsets of strings have 4 or 8 bytes");
    require(strings.count <= std::numeric_limits<std::uint32_t>::max(), "fewer than 2^32 strings can be sorted");
    require_positions(positions, strings.count);
    const std::uint64_t known_bytes = strings.bytes == nullptr ? 0 : 1;  // the device knows how many there are
    const std::uint64_t offsets_bytes = strings.count == 0 ? 0 : (strings.count + 1) * strings.offset_bytes;
    const std::initializer_list<ArrayArgument> arrays{
        read_only("strings", strings.bytes, known_bytes),
        read_only("offsets", strings.offsets, offsets_bytes, static_cast<unsigned>(strings.offset_bytes)),
        {"positions", positions.data, strings.count * positions.bytes}};
    require_arrays(arrays);
    if (strings.count == 0) return;
    const ScratchLease lease(
        scratch, argsort_strings_scratch_bytes(strings.offset_bytes, positions.bytes, strings.count), arrays, stream);
    const StringSortScratch areas(strings.offset_bytes, positions.bytes, strings.count, lease.memory());
    launch_string_sort(strings, positions, order, areas, stream);
  });
}

}  // namespace sortie::cuda
