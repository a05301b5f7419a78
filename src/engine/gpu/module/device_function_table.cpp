#include "engine/gpu/module/device_function_table.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <sortie/cuda/device_lexsort.hpp>
#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_segmented_sort.hpp>
#include <sortie/cuda/device_sets.hpp>
#include <sortie/cuda/device_strings.hpp>
#include <sortie/cuda/device_top_k.hpp>

#include "cuda/device_call.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "engine/gpu/module/separate_lists.hpp"
#include "kernels/gather_columns.hpp"
#include "kernels/records.hpp"

namespace sortie {
namespace {

using cuda::KeyType;
using cuda::Status;
using cuda::StatusCode;

cudaStream_t stream_of(const DeviceCall& call) { return static_cast<cudaStream_t>(call.stream); }
cuda::Scratch scratch_of(const DeviceCall& call) { return {call.scratch, call.scratch_bytes}; }
cuda::ConstKeys source_of(const DeviceSort& sort) { return {sort.source, sort.key_type}; }
cuda::Keys keys_of(const DeviceSort& sort) { return {sort.keys, sort.key_type}; }
cuda::Positions positions_of(const DeviceSort& sort) { return {sort.values, sort.value_bytes}; }
cuda::Values values_of(const DeviceSort& sort) { return {sort.values, sort.value_bytes}; }

/// Without a driver CUDA's own words name no remedy.
const char* remedy_of(const std::string& message) {
  const bool lacks_driver =
      message.find("driver") != std::string::npos || message.find("cudaErrorNoDevice") != std::string::npos;
  return lacks_driver ? ": install or update the NVIDIA driver, for CUDA 13, or copy the array to the host" : "";
}

StatusCode tell(const Status& status, DeviceMessage& message) {
  const char* const remedy = status.code() == StatusCode::kCudaError ? remedy_of(status.message()) : "";
  static_cast<void>(std::snprintf(message.text, sizeof(message.text), "%s%s", status.message().c_str(), remedy));
  return status.code();
}

/// Runs `work` on a device; it returns a Status, or throws.
template <class Work>
StatusCode run_on(int device, DeviceMessage& message, const Work& work) noexcept {
  Status status;
  const Status failure = cuda::answer([&] {
    const cuda::KeptDevice kept(device);
    status = work();
  });
  return tell(failure.ok() ? status : failure, message);
}

template <class Work>
StatusCode run_checked(const DeviceCall& call, DeviceMessage& message, const Work& work) noexcept {
  return run_on(call.device, message, [&] {
    work();
    return Status();
  });
}

/// Keys are sorted where they end.
void copy_keys(const DeviceSort& sort, const DeviceCall& call) {
  if (sort.source == sort.keys) return;
  cuda::require_count(sort.count);
  cuda::copy_within_device(sort.keys, sort.source, sort.count * cuda::bytes_of(sort.key_type), stream_of(call));
}

/// Few items are a row, which one launch sorts without scratch.
bool is_row(std::uint64_t count) { return count <= cuda::kMostItemsOfShortRow; }

Status sort_as_row(const DeviceSort& sort, void* keys, const DeviceCall& call) {
  return cuda::sort_rows(source_of(sort), cuda::Keys(keys, sort.key_type), positions_of(sort), {1, sort.count},
                         sort.order, scratch_of(call), stream_of(call));
}

std::size_t sort_scratch_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count) {
  return value_bytes == 0 && is_row(count) ? 0 : cuda::radix_sort_scratch_bytes(type, value_bytes, count);
}

StatusCode sort(const DeviceSort& sort, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    if (sort.value_bytes == 0 && is_row(sort.count)) return sort_as_row(sort, sort.keys, call);
    copy_keys(sort, call);
    return cuda::radix_sort(keys_of(sort), values_of(sort), sort.count, sort.order, scratch_of(call), stream_of(call));
  });
}

std::size_t sort_with_positions_scratch_bytes(KeyType type, std::size_t position_bytes, std::uint64_t count) {
  return is_row(count) ? 0 : cuda::sort_with_positions_scratch_bytes(type, position_bytes, count);
}

StatusCode sort_with_positions(const DeviceSort& sort, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    if (is_row(sort.count)) return sort_as_row(sort, sort.keys, call);
    return cuda::sort_with_positions(source_of(sort), keys_of(sort), positions_of(sort), sort.count, sort.order,
                                     scratch_of(call), stream_of(call));
  });
}

std::size_t argsort_scratch_bytes(KeyType type, std::size_t position_bytes, std::uint64_t count) {
  return is_row(count) ? 0 : cuda::argsort_scratch_bytes(type, position_bytes, count);
}

StatusCode argsort(const DeviceSort& sort, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    if (is_row(sort.count)) return sort_as_row(sort, nullptr, call);
    return cuda::argsort(source_of(sort), positions_of(sort), sort.count, sort.order, scratch_of(call),
                         stream_of(call));
  });
}

StatusCode gather(const std::uint32_t* positions, std::uint64_t row_count, const DeviceGather* arrays,
                  std::size_t array_count, const DeviceCall& call, DeviceMessage& message) {
  return run_checked(call, message, [&] {
    std::vector<kernels::GatheredColumn> columns;
    for (const auto& [source, target, row_bytes] : std::span(arrays, array_count)) {
      if (row_count == 0 || row_bytes == 0) continue;
      const kernels::GatheredColumn column{source, target, row_bytes};
      if (kernels::is_column(column)) {
        columns.push_back(column);
        continue;
      }
      kernels::gather_fixed(static_cast<const std::byte*>(source), row_bytes, row_count, positions, row_count,
                            static_cast<std::byte*>(target), stream_of(call));
    }
    kernels::gather_columns(columns, positions, row_count, stream_of(call));
  });
}

cuda::Rows rows_of(const DeviceRowSort& sort) { return {sort.items.count / sort.row_items, sort.row_items}; }

std::size_t row_sort_scratch_bytes(const DeviceRowSort& sort) {
  return cuda::sort_rows_scratch_bytes(sort.items.key_type, sort.items.value_bytes, rows_of(sort));
}

StatusCode sort_rows(const DeviceRowSort& sort, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    const DeviceSort& items = sort.items;
    return cuda::sort_rows(source_of(items), keys_of(items), positions_of(items), rows_of(sort), items.order,
                           scratch_of(call), stream_of(call));
  });
}

StatusCode segmented_sort(const DeviceSegmentedSort& sort, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    const DeviceSort& items = sort.items;
    cuda::require_segmented_count(items.key_type, items.count);
    copy_keys(items, call);
    return cuda::segmented_sort(keys_of(items), values_of(items), items.count, {sort.offsets, sort.segment_count},
                                items.order, scratch_of(call), stream_of(call));
  });
}

StatusCode combine_sets(const DeviceSetOperation& sets, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    return cuda::set_operation(sets.operation, list_of(sets.first, sets.key_type, sets.value_bytes),
                               list_of(sets.second, sets.key_type, sets.value_bytes),
                               cuda::Keys(sets.keys, sets.key_type), cuda::Values(sets.values, sets.value_bytes),
                               sets.kept_count, sets.order, scratch_of(call), stream_of(call));
  });
}

StatusCode merge(const DeviceMerge& merge, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] { return merge_separate_lists(merge, call); });
}

std::size_t top_scratch_bytes(KeyType type, std::uint64_t count, std::uint64_t top_count) {
  return cuda::top_k_scratch_bytes(type, sizeof(std::uint64_t), count, top_count);
}

StatusCode top(const DeviceTop& top, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    return cuda::top_k(cuda::ConstKeys(top.keys, top.key_type), top.count, top.top_count,
                       cuda::Keys(top.top_keys, top.key_type), cuda::Positions(top.top_positions), top.order,
                       scratch_of(call), stream_of(call));
  });
}

std::vector<cuda::Column> columns_of(const DeviceRows& rows) {
  std::vector<cuda::Column> columns;
  for (const DeviceColumn& column : std::span(rows.columns, rows.column_count)) {
    columns.push_back({cuda::ConstKeys(column.keys, column.key_type), column.order});
  }
  return columns;
}

std::size_t lexsort_scratch_bytes(const DeviceRows& rows) {
  return cuda::lexsort_scratch_bytes(columns_of(rows), sizeof(std::uint64_t), rows.count);
}

StatusCode lexsort(const DeviceRows& rows, std::uint64_t* positions, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    return cuda::lexsort(columns_of(rows), positions, rows.count, scratch_of(call), stream_of(call));
  });
}

std::size_t argsort_strings_scratch_bytes(std::size_t offset_bytes, std::uint64_t count) {
  return cuda::argsort_strings_scratch_bytes(offset_bytes, sizeof(std::uint64_t), count);
}

StatusCode argsort_strings(const DeviceStrings& strings, std::uint64_t* positions, const DeviceCall& call,
                           DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    return cuda::argsort_strings({strings.bytes, strings.offsets, strings.offset_bytes, strings.count}, positions,
                                 strings.order, scratch_of(call), stream_of(call));
  });
}

StatusCode unique(const DeviceUnique& unique, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    return cuda::unique(list_of(unique.list, unique.key_type, unique.value_bytes),
                        cuda::Keys(unique.unique_keys, unique.key_type),
                        cuda::Values(unique.unique_values, unique.value_bytes), unique.unique_count, unique.keep,
                        scratch_of(call), stream_of(call));
  });
}

StatusCode allocate(std::size_t bytes, const DeviceCall& call, void** memory, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    cuda::StreamAllocator allocator;
    *memory = allocator.allocate(bytes, stream_of(call));
    if (*memory != nullptr) return Status();
    return Status(StatusCode::kOutOfMemory,
                  "the device has no " + std::to_string(bytes) + " bytes: free memory on it, or pass fewer items");
  });
}

void release_memory(void* memory, const DeviceCall& call, bool wait) {
  DeviceMessage ignored;
  run_checked(call, ignored, [&] {
    if (wait) check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    cuda::StreamAllocator allocator;
    allocator.deallocate(memory, 0, stream_of(call));
  });
}

StatusCode copy(void* target, const void* source, std::size_t bytes, const DeviceCall& call, DeviceMessage& message) {
  return run_checked(call, message, [&] { cuda::copy_within_device(target, source, bytes, stream_of(call)); });
}

StatusCode wait_for(void* other, const DeviceCall& call, DeviceMessage& message) {
  return run_checked(call, message, [&] {
    // CUDA destroys the event when those who wait for it have passed it.
    CudaEvent mark;
    mark.record(static_cast<cudaStream_t>(other));
    mark.hold_up(stream_of(call));
  });
}

StatusCode synchronize(const DeviceCall& call, DeviceMessage& message) {
  return run_checked(call, message,
                     [&] { check_cuda(cudaStreamSynchronize(stream_of(call)), "cudaStreamSynchronize"); });
}

StatusCode read_number(const std::uint64_t* source, std::uint64_t& number, const DeviceCall& call,
                       DeviceMessage& message) {
  return run_checked(call, message, [&] {
    check_cuda(cudaMemcpyAsync(&number, source, sizeof(number), cudaMemcpyDeviceToHost, stream_of(call)),
               "copy of a count");
    check_cuda(cudaStreamSynchronize(stream_of(call)), "cudaStreamSynchronize");
  });
}

StatusCode find(const void* memory, DevicePlace& place, DeviceMessage& message) {
  return tell(cuda::answer([&] {
                cudaPointerAttributes attributes{};
                check_cuda(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
                place.is_on_device =
                    attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
                place.device = attributes.device;
              }),
              message);
}

}  // namespace

const DeviceFunctions kDeviceFunctions = {
    sort_scratch_bytes,
    sort,
    sort_with_positions_scratch_bytes,
    sort_with_positions,
    argsort_scratch_bytes,
    argsort,
    gather,
    row_sort_scratch_bytes,
    sort_rows,
    cuda::segmented_sort_scratch_bytes,
    segmented_sort,
    separate_lists_scratch_bytes,
    merge,
    cuda::set_operation_scratch_bytes,
    combine_sets,
    top_scratch_bytes,
    top,
    lexsort_scratch_bytes,
    lexsort,
    argsort_strings_scratch_bytes,
    argsort_strings,
    cuda::unique_scratch_bytes,
    unique,
    allocate,
    release_memory,
    copy,
    wait_for,
    synchronize,
    read_number,
    find,
};

}  // namespace sortie
