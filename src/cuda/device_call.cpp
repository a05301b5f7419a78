#include "cuda/device_call.hpp"

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "device/cuda_error.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/segmented_sort.hpp"

namespace sortie::cuda {
namespace {

constexpr unsigned kScratchAlignment = 256;

bool is_aligned(const void* data, unsigned alignment) {
  return reinterpret_cast<std::uintptr_t>(data) % alignment == 0;
}

bool overlap(const ArrayArgument& a, const ArrayArgument& b) {
  const auto a_begin = reinterpret_cast<std::uintptr_t>(a.data);
  const auto b_begin = reinterpret_cast<std::uintptr_t>(b.data);
  const bool only_read = a.access == Access::kRead && b.access == Access::kRead;
  return !only_read && a.bytes != 0 && b.bytes != 0 && a_begin < b_begin + b.bytes && b_begin < a_begin + a.bytes;
}

[[noreturn]] void refuse(StatusCode code, const std::string& message) { throw Refused{Status(code, message)}; }

void require_disjoint(const ArrayArgument& a, const ArrayArgument& b) {
  if (!overlap(a, b)) return;
  refuse(StatusCode::kInvalidArgument,
         std::string(a.name) + " and " + b.name + " overlap: give each memory of its own");
}

/// Whether nothing can be asked of CUDA, not even whether calls have failed.
bool lacks_driver(cudaError_t status) { return status == cudaErrorInsufficientDriver || status == cudaErrorNoDevice; }

/// Messages of the kernels end in a remedy for Sortie's own engine, which means nothing here.
std::string without_remedy(const std::string& message) { return message.substr(0, message.rfind("; ")); }

}  // namespace

void require(bool is_right, const char* message) {
  if (!is_right) refuse(StatusCode::kInvalidArgument, message);
}

void require_ok(Status status) {
  if (!status.ok()) throw Refused{std::move(status)};
}

void require_arrays(std::span<const ArrayArgument> arrays) {
  for (const ArrayArgument& array : arrays) {
    if (array.bytes == 0) continue;
    const std::string name = array.name;
    if (array.data == nullptr) refuse(StatusCode::kInvalidArgument, name + ": null, give an array in device memory");
    if (!is_aligned(array.data, array.alignment)) {
      refuse(StatusCode::kInvalidArgument,
             name + ": not aligned to " + std::to_string(array.alignment) + " bytes, begin at such an address");
    }
  }
  for (const ArrayArgument& a : arrays) {
    for (const ArrayArgument& b : arrays) {
      if (&a < &b) require_disjoint(a, b);
    }
  }
}

void require_count(std::uint64_t count) {
  if (count > kMostItems) {
    refuse(StatusCode::kInvalidArgument,
           std::to_string(count) + " items: at most " + std::to_string(kMostItems) + " can be sorted");
  }
}

void require_segmented_count(KeyType type, std::uint64_t count) {
  require_count(count);
  require(bytes_of(type) < 8 || count <= kernels::kMostSegmentItems,
          "2^32 or more keys of 64 bits in segments: sort them in parts");
}

void require_values(std::size_t value_bytes, std::uint64_t count) {
  if (value_bytes > kMostValueBytes) {
    refuse(StatusCode::kInvalidArgument, "values of " + std::to_string(value_bytes) + " bytes: at most " +
                                             std::to_string(kMostValueBytes) + " bytes can be sorted; sort positions");
  }
  if (value_bytes != 0 && value_bytes != 4 && value_bytes != 8 && count > std::uint64_t{1} << 32) {
    refuse(StatusCode::kInvalidArgument, std::to_string(count) + " values of " + std::to_string(value_bytes) +
                                             " bytes: more than 2^32 values have 4 or 8 bytes; sort positions");
  }
}

void require_positions(const Positions& positions, std::uint64_t count) {
  require(positions.bytes == 4 || positions.bytes == 8, "positions have 4 or 8 bytes");
  require(positions.bytes == 8 || count <= std::uint64_t{1} << 32,
          "more than 2^32 items have no positions of 4 bytes: give an array of 8-byte positions");
}

ScratchLease::ScratchLease(const Scratch& scratch, std::uint64_t bytes, std::span<const ArrayArgument> arrays,
                           cudaStream_t stream)
    : memory_(scratch.memory()), bytes_(bytes), allocator_(scratch.allocator()), stream_(stream) {
  if (allocator_ != nullptr) {
    memory_ = bytes == 0 ? nullptr : allocator_->allocate(bytes, stream);
    if (bytes == 0 || (memory_ != nullptr && is_aligned(memory_, kScratchAlignment))) return;
    if (memory_ != nullptr) {
      allocator_->deallocate(memory_, bytes, stream);
      refuse(StatusCode::kInvalidArgument, "the allocator's memory is not aligned to 256 bytes: let it align");
    }
    throw Refused{status_without_memory("the allocator has no " + std::to_string(bytes) + " bytes of scratch",
                                        "free memory on the device")};
  }
  if (scratch.bytes() < bytes) {
    refuse(StatusCode::kScratchTooSmall,
           "scratch of " + std::to_string(scratch.bytes()) + " bytes is too small: give " + std::to_string(bytes));
  }
  const ArrayArgument area{"scratch", memory_, bytes, Access::kWrite, kScratchAlignment};
  require_arrays({area});
  for (const ArrayArgument& array : arrays) require_disjoint(area, array);
}

ScratchLease::~ScratchLease() {
  if (allocator_ != nullptr && memory_ != nullptr) allocator_->deallocate(memory_, bytes_, stream_);
}

Status status_without_memory(const std::string& what, const char* remedy) {
  const cudaError_t failure = cudaGetLastError();
  if (failure == cudaSuccess || failure == cudaErrorMemoryAllocation) {
    return {StatusCode::kOutOfMemory, what + ": " + remedy};
  }
  return {lacks_driver(failure) ? StatusCode::kOutOfMemory : StatusCode::kCudaError,
          what + ": " + cudaGetErrorString(failure)};
}

void require_no_earlier_error() {
  const cudaError_t earlier = cudaPeekAtLastError();
  // The call's own launches will say that there is no driver.
  if (earlier == cudaSuccess || lacks_driver(earlier)) return;
  refuse(StatusCode::kCudaError, std::string("an earlier CUDA call of this thread failed: ") +
                                     cudaGetErrorString(earlier) + "; ask for it by cudaGetLastError() first");
}

Status status_of_exception() noexcept {
  try {
    throw;
  } catch (Refused& refused) {
    return std::move(refused.status);
  } catch (const std::bad_alloc&) {
    return {StatusCode::kOutOfMemory, "no host memory"};
  } catch (const std::exception& error) {
    return {StatusCode::kCudaError, without_remedy(error.what())};
  }
}

void require_uncaptured(cudaStream_t stream, const char* message) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check_cuda(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  require(status == cudaStreamCaptureStatusNone, message);
}

void require_device(int device) {
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (device >= 0 && device < count) return;
  refuse(StatusCode::kInvalidArgument, "there is no device of the number " + std::to_string(device) + ": there are " +
                                           std::to_string(count) + ", counted from 0");
}

KeptDevice::KeptDevice() { check_cuda(cudaGetDevice(&device_), "cudaGetDevice"); }

KeptDevice::KeptDevice(int device) : KeptDevice() {
  may_have_changed_ = device != device_;
  if (may_have_changed_) check_cuda(cudaSetDevice(device), "cudaSetDevice");
}

KeptDevice::~KeptDevice() {
  if (may_have_changed_) static_cast<void>(cudaSetDevice(device_));
}

void copy_async(void* target, const void* source, std::uint64_t bytes, cudaStream_t stream) {
  if (bytes != 0) check_cuda(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
}

void copy_within_device(void* target, const void* source, std::uint64_t bytes, cudaStream_t stream) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream), "copy on the device");
}

FieldKind field_kind(KeyType type) {
  switch (type) {
    case KeyType::kFloat16:
    case KeyType::kBfloat16:
    case KeyType::kFloat32:
    case KeyType::kFloat64:
      return FieldKind::kFloat;
    case KeyType::kInt8:
    case KeyType::kInt16:
    case KeyType::kInt32:
    case KeyType::kInt64:
      return FieldKind::kSigned;
    default:
      return FieldKind::kUnsigned;
  }
}

kernels::NumberOrder short_number_order(KeyType type, Order order) {
  return {field_kind(type), static_cast<unsigned>(bytes_of(type)), order == Order::kDescending};
}

kernels::NumberOrder number_order(KeyType type, Order order) {
  if (bytes_of(type) < 4) return short_number_order(type, order);
  kernels::NumberOrder number{FieldKind::kUnsigned, static_cast<unsigned>(bytes_of(type)), order == Order::kDescending};
  with_wide_keys(Keys(nullptr, type), [&]<class Key>(Key* /*keys*/) { number.kind = kernels::kKindOf<Key>; });
  return number;
}

void require_order(Order order) {
  require(order == Order::kAscending || order == Order::kDescending, "the order is neither ascending nor descending");
}

void require_type(KeyType type) {
  require_any_order(type);
  require(!is_by_value(type), "this function takes floats in totalOrder alone: name their type without ByValue");
}

void require_any_order(KeyType type) {
  require(type <= KeyType::kFloat64ByValue, "the type of the keys is none that is known");
}

void require_wide_keys(KeyType type) {
  require_type(type);
  require(bytes_of(type) >= 4, "this function takes keys of 32 and 64 bits; sort others by radix_sort()");
}

}  // namespace sortie::cuda
