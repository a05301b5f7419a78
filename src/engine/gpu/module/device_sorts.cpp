#include "engine/gpu/module/device_sorts.hpp"

#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_segmented_sort.hpp>

#include "cuda/device_call.hpp"

namespace sortie {
namespace {

using cuda::KeyType;
using cuda::Scratch;
using cuda::Status;

cuda::ConstKeys source_of(const DeviceSort& sort) { return {sort.source, sort.key_type}; }
cuda::Keys keys_of(const DeviceSort& sort) { return {sort.keys, sort.key_type}; }
cuda::Positions positions_of(const DeviceSort& sort) { return {sort.values, sort.value_bytes}; }
cuda::Values values_of(const DeviceSort& sort) { return {sort.values, sort.value_bytes}; }

/// Keys are sorted where they end.
void copy_keys(const DeviceSort& sort, cudaStream_t stream) {
  if (sort.source == sort.keys) return;
  cuda::require_count(sort.count);
  cuda::copy_within_device(sort.keys, sort.source, sort.count * cuda::bytes_of(sort.key_type), stream);
}

/// Few items are a row, which one launch sorts without scratch.
bool is_row(std::uint64_t count) { return count <= cuda::kMostItemsOfShortRow; }

Status sort_as_row(const DeviceSort& sort, void* keys, const Scratch& scratch, cudaStream_t stream) {
  return cuda::sort_rows(source_of(sort), cuda::Keys(keys, sort.key_type), positions_of(sort), {1, sort.count},
                         sort.order, scratch, stream);
}

cuda::Rows rows_of(const DeviceRowSort& sort) { return {sort.items.count / sort.row_items, sort.row_items}; }

}  // namespace

std::size_t item_sort_scratch_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count) {
  return value_bytes == 0 && is_row(count) ? 0 : cuda::radix_sort_scratch_bytes(type, value_bytes, count);
}

Status sort_items(const DeviceSort& sort, const Scratch& scratch, cudaStream_t stream) {
  if (sort.value_bytes == 0 && is_row(sort.count)) return sort_as_row(sort, sort.keys, scratch, stream);
  copy_keys(sort, stream);
  return cuda::radix_sort(keys_of(sort), values_of(sort), sort.count, sort.order, scratch, stream);
}

std::size_t position_sort_scratch_bytes(KeyType type, std::size_t position_bytes, std::uint64_t count) {
  return is_row(count) ? 0 : cuda::sort_with_positions_scratch_bytes(type, position_bytes, count);
}

Status sort_items_with_positions(const DeviceSort& sort, const Scratch& scratch, cudaStream_t stream) {
  if (is_row(sort.count)) return sort_as_row(sort, sort.keys, scratch, stream);
  return cuda::sort_with_positions(source_of(sort), keys_of(sort), positions_of(sort), sort.count, sort.order, scratch,
                                   stream);
}

std::size_t item_argsort_scratch_bytes(KeyType type, std::size_t position_bytes, std::uint64_t count) {
  return is_row(count) ? 0 : cuda::argsort_scratch_bytes(type, position_bytes, count);
}

Status argsort_items(const DeviceSort& sort, const Scratch& scratch, cudaStream_t stream) {
  if (is_row(sort.count)) return sort_as_row(sort, nullptr, scratch, stream);
  return cuda::argsort(source_of(sort), positions_of(sort), sort.count, sort.order, scratch, stream);
}

std::size_t row_sort_scratch_bytes(const DeviceRowSort& sort) {
  return cuda::sort_rows_scratch_bytes(sort.items.key_type, sort.items.value_bytes, rows_of(sort));
}

Status sort_device_rows(const DeviceRowSort& sort, const Scratch& scratch, cudaStream_t stream) {
  const DeviceSort& items = sort.items;
  return cuda::sort_rows(source_of(items), keys_of(items), positions_of(items), rows_of(sort), items.order, scratch,
                         stream);
}

Status sort_device_segments(const DeviceSegmentedSort& sort, const Scratch& scratch, cudaStream_t stream) {
  const DeviceSort& items = sort.items;
  cuda::require_segmented_count(items.key_type, items.count);
  copy_keys(items, stream);
  return cuda::segmented_sort(keys_of(items), values_of(items), items.count, {sort.offsets, sort.segment_count},
                              items.order, scratch, stream);
}

}  // namespace sortie
