#include "engine/gpu/module/device_function_table.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <sortie/cuda/device_lexsort.hpp>
#include <sortie/cuda/device_segmented_sort.hpp>
#include <sortie/cuda/device_sets.hpp>
#include <sortie/cuda/device_strings.hpp>
#include <sortie/cuda/device_top_k.hpp>

#include "cuda/device_call.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "engine/gpu/module/counted_items.hpp"
#include "engine/gpu/module/device_sorts.hpp"
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

using SortItems = Status(const DeviceSort& sort, const cuda::Scratch& scratch, cudaStream_t stream);

template <SortItems kSortItems>
StatusCode sort(const DeviceSort& sort, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] { return kSortItems(sort, scratch_of(call), stream_of(call)); });
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

StatusCode sort_rows(const DeviceRowSort& sort, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] { return sort_device_rows(sort, scratch_of(call), stream_of(call)); });
}

StatusCode segmented_sort(const DeviceSegmentedSort& sort, const DeviceCall& call, DeviceMessage& message) {
  return run_on(call.device, message, [&] { return sort_device_segments(sort, scratch_of(call), stream_of(call)); });
}

StatusCode combine_sets(const DeviceSetOperation& sets, std::uint64_t& kept_count, const DeviceCall& call,
                        DeviceMessage& message) {
  return run_on(call.device, message, [&] { return combine_lists(sets, kept_count, call); });
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

StatusCode unique(const DeviceUnique& unique, std::uint64_t& kept_count, const DeviceCall& call,
                  DeviceMessage& message) {
  return run_on(call.device, message, [&] { return unique_items(unique, kept_count, call); });
}

StatusCode allocate(std::size_t bytes, const DeviceCall& call, void** memory, DeviceMessage& message) {
  return run_on(call.device, message, [&] {
    cuda::StreamAllocator allocator;
    *memory = allocator.allocate(bytes, stream_of(call));
    if (*memory != nullptr) return Status();
    return cuda::status_without_memory("the device has no " + std::to_string(bytes) + " bytes",
                                       "free memory on it, or pass fewer items");
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
    item_sort_scratch_bytes,
    sort<sort_items>,
    position_sort_scratch_bytes,
    sort<sort_items_with_positions>,
    item_argsort_scratch_bytes,
    sort<argsort_items>,
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
    unique_items_scratch_bytes,
    unique,
    allocate,
    release_memory,
    copy,
    wait_for,
    synchronize,
    find,
};

}  // namespace sortie
