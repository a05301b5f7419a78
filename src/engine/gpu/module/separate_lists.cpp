#include "engine/gpu/module/separate_lists.hpp"

#include <cuda_runtime_api.h>

#include <span>
#include <vector>

#include <sortie/cuda/device_merge.hpp>

#include "cuda/device_call.hpp"
#include "cuda/sorted_lists.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/positions.hpp"

namespace sortie {
namespace {

using cuda::bytes_of;
using cuda::KeyType;

/// Scratch for more than two lists with keys of 32 and 64 bits.
struct SeparateListsScratch {
  SeparateListsScratch(KeyType type, std::size_t value_bytes, std::uint64_t count, std::uint32_t list_count,
                       void* area = nullptr)
      : layout(area) {
    keys = layout.take<std::byte>(count * bytes_of(type));
    values = layout.take<std::byte>(count * value_bytes);
    offsets = layout.take<std::uint64_t>(std::uint64_t{list_count} + 1);
    merge_bytes = cuda::merge_lists_scratch_bytes(type, value_bytes, count, list_count);
    merge = layout.take<std::byte>(merge_bytes);
  }

  kernels::ScratchLayout layout;
  std::byte* keys;
  std::byte* values;
  std::uint64_t* offsets;
  std::byte* merge;
  std::size_t merge_bytes;
};

/// Where each list begins, and where the last one ends.
std::vector<std::uint64_t> offsets_of(std::span<const DeviceItems> lists) {
  std::vector<std::uint64_t> offsets{0};
  offsets.reserve(lists.size() + 1);
  for (const DeviceItems& list : lists) offsets.push_back(offsets.back() + list.count);
  return offsets;
}

void copy_side_by_side(const DeviceMerge& merge, void* keys, void* values, cudaStream_t stream) {
  const std::size_t key_bytes = bytes_of(merge.key_type);
  auto* key_target = static_cast<std::byte*>(keys);
  auto* value_target = static_cast<std::byte*>(values);
  for (const DeviceItems& list : std::span(merge.lists, merge.list_count)) {
    cuda::copy_within_device(key_target, list.keys, list.count * key_bytes, stream);
    cuda::copy_within_device(value_target, list.values, list.count * merge.value_bytes, stream);
    key_target += list.count * key_bytes;
    if (merge.value_bytes != 0) value_target += list.count * merge.value_bytes;
  }
}

cuda::SortedList list_of_merge(const DeviceMerge& merge, std::uint32_t i) {
  return list_of(merge.lists[i], merge.key_type, merge.value_bytes);
}

cuda::Keys merged_keys(const DeviceMerge& merge) { return {merge.keys, merge.key_type}; }
cuda::Values merged_values(const DeviceMerge& merge) { return {merge.values, merge.value_bytes}; }

void merge_short(const DeviceMerge& merge, const DeviceCall& call, cudaStream_t stream) {
  std::vector<cuda::SortedList> lists;
  lists.reserve(merge.list_count);
  for (std::uint32_t i = 0; i < merge.list_count; ++i) lists.push_back(list_of_merge(merge, i));
  cuda::sort_lists_of_short_keys(lists, merged_keys(merge), merged_values(merge), merge.order,
                                 cuda::Scratch(call.scratch, call.scratch_bytes), stream);
}

cuda::Status merge_two(const DeviceMerge& merge, const DeviceCall& call, cudaStream_t stream) {
  return cuda::merge(list_of_merge(merge, 0), list_of_merge(merge, 1), merged_keys(merge), merged_values(merge),
                     merge.order, cuda::Scratch(call.scratch, call.scratch_bytes), stream);
}

cuda::Status merge_many(const DeviceMerge& merge, const std::vector<std::uint64_t>& offsets, const DeviceCall& call,
                        cudaStream_t stream) {
  const std::uint64_t count = offsets.back();
  const SeparateListsScratch areas(merge.key_type, merge.value_bytes, count, merge.list_count, call.scratch);
  copy_side_by_side(merge, areas.keys, areas.values, stream);
  kernels::write_offsets(offsets, areas.offsets, stream);
  const cuda::SortedLists lists{cuda::ConstKeys(areas.keys, merge.key_type),
                                cuda::ConstValues(areas.values, merge.value_bytes), areas.offsets, merge.list_count,
                                count};
  return cuda::merge_lists(lists, merged_keys(merge), merged_values(merge), merge.order,
                           cuda::Scratch(areas.merge, areas.merge_bytes), stream);
}

}  // namespace

cuda::SortedList list_of(const DeviceItems& given, KeyType key_type, std::size_t value_bytes) {
  return {cuda::ConstKeys(given.keys, key_type), cuda::ConstValues(given.values, value_bytes), given.count};
}

std::size_t separate_lists_scratch_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count,
                                         std::uint32_t list_count) {
  if (list_count == 2 || cuda::is_short(type)) return cuda::merge_scratch_bytes(type, value_bytes, count);
  return SeparateListsScratch(type, value_bytes, count, list_count).layout.size_bytes();
}

cuda::Status merge_separate_lists(const DeviceMerge& merge, const DeviceCall& call) {
  auto* const stream = static_cast<cudaStream_t>(call.stream);
  const std::vector<std::uint64_t> offsets = offsets_of(std::span(merge.lists, merge.list_count));
  const std::uint64_t count = offsets.back();
  cuda::require_count(count);
  cuda::require_values(merge.value_bytes, count);
  if (count == 0) return {};
  cuda::require(
      call.scratch_bytes >= separate_lists_scratch_bytes(merge.key_type, merge.value_bytes, count, merge.list_count),
      "the scratch of a merge is too small");
  if (merge.list_count == 2) return merge_two(merge, call, stream);
  if (cuda::is_short(merge.key_type)) {
    merge_short(merge, call, stream);
    return {};
  }
  return merge_many(merge, offsets, call, stream);
}

}  // namespace sortie
