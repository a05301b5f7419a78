// What every function of sortie::cuda does around its launches: it checks arguments, takes scratch, and makes a Status
// of whatever goes wrong.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"
#include "kernels/number_codec.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::cuda {

/// More items than any device has memory for. Sizes in bytes of so many do not overflow.
inline constexpr std::uint64_t kMostItems = std::uint64_t{1} << 40;

/// Thrown within a call that is refused; answer() makes it the call's Status.
struct Refused {
  Status status;
};

/// Throws Refused with kInvalidArgument unless `is_right`.
void require(bool is_right, const char* message);

enum class Access : std::uint8_t { kRead, kWrite };

/// Throws Refused if a call that is part of this one was refused or failed.
void require_ok(Status status);

/// An array that a call reads, or reads and writes.
struct ArrayArgument {
  const char* name;
  const void* data;
  std::uint64_t bytes;
  Access access = Access::kWrite;
  unsigned alignment = 16;
};

inline ArrayArgument read_only(const char* name, const void* data, std::uint64_t bytes, unsigned alignment = 1) {
  return {name, data, bytes, Access::kRead, alignment};
}

/// Throws Refused if an array is null, lies at an address that is not aligned, or overlaps another one, unless both are
/// only read. Arrays of no bytes may be anywhere.
void require_arrays(std::span<const ArrayArgument> arrays);
inline void require_arrays(std::initializer_list<ArrayArgument> arrays) {
  require_arrays(std::span(arrays.begin(), arrays.size()));
}

/// Throws Refused unless `count` items can be.
void require_count(std::uint64_t count);

/// Throws Refused unless so many keys of this type can be sorted in segments.
void require_segmented_count(KeyType type, std::uint64_t count);

/// Throws Refused unless values can have this size, with so many items.
void require_values(std::size_t value_bytes, std::uint64_t count);

/// Throws Refused unless positions of so many items can have this size.
void require_positions(const Positions& positions, std::uint64_t count);

/// The scratch of one call, while it queues its work.
class ScratchLease {
 public:
  /// Throws Refused if the caller's scratch is too small, not aligned or overlaps an array, or if the allocator has no
  /// memory.
  ScratchLease(const Scratch& scratch, std::uint64_t bytes, std::span<const ArrayArgument> arrays, cudaStream_t stream);
  ScratchLease(const Scratch& scratch, std::uint64_t bytes, std::initializer_list<ArrayArgument> arrays,
               cudaStream_t stream)
      : ScratchLease(scratch, bytes, std::span(arrays.begin(), arrays.size()), stream) {}
  ~ScratchLease();
  ScratchLease(const ScratchLease&) = delete;
  ScratchLease& operator=(const ScratchLease&) = delete;

  void* memory() const { return memory_; }

 private:
  void* memory_;
  std::uint64_t bytes_;
  Allocator* allocator_;
  cudaStream_t stream_;
};

/// The Status of a call whose allocator gave nothing: kOutOfMemory with this remedy, or, where there is no driver, with
/// that reason; kCudaError if CUDA's last error, which is cleared, is another one.
Status status_without_memory(const std::string& what, const char* remedy);

/// The Status of the exception that is being handled.
Status status_of_exception() noexcept;

/// Throws Refused if an earlier call of this thread has failed and nobody has asked: the launches that follow would
/// seem to have failed.
void require_no_earlier_error();

/// Calls `work`, which checks arguments and launches, and says how that went.
template <class Work>
Status answer(const Work& work) noexcept {
  try {
    require_no_earlier_error();
    work();
    return {};
  } catch (...) {
    return status_of_exception();
  }
}

/// Throws Refused with this message if the stream is being captured into a graph: to wait for it would end the capture.
void require_uncaptured(cudaStream_t stream, const char* message);

/// Throws Refused unless this machine has a device of this number.
void require_device(int device);

/// Puts the device back that was current.
class KeptDevice {
 public:
  KeptDevice();
  /// Makes `device` current until then. Precondition: nobody changes that.
  explicit KeptDevice(int device);
  ~KeptDevice();
  KeptDevice(const KeptDevice&) = delete;
  KeptDevice& operator=(const KeptDevice&) = delete;

 private:
  int device_ = 0;
  bool may_have_changed_ = true;
};

/// Queues a copy between any two memories. Throws sortie::Error.
void copy_async(void* target, const void* source, std::uint64_t bytes, cudaStream_t stream);

/// Queues a copy on the device. Throws sortie::Error.
void copy_within_device(void* target, const void* source, std::uint64_t bytes, cudaStream_t stream);

inline kernels::SortOrder kernel_order(Order order) {
  return order == Order::kAscending ? kernels::SortOrder::kAscending : kernels::SortOrder::kDescending;
}

constexpr bool is_short(KeyType type) { return bytes_of(type) < 4; }

/// Whether keys are unsigned, signed or floats.
FieldKind field_kind(KeyType type);

/// What keys of fewer than 32 bits are, for kernels that take codes.
kernels::NumberOrder short_number_order(KeyType type, Order order);

/// The order of keys of any type, for kernels that take codes.
kernels::NumberOrder number_order(KeyType type, Order order);

/// Throws Refused unless `order` is one.
void require_order(Order order);

/// Throws Refused unless `type` is one, of floats that of totalOrder.
void require_type(KeyType type);

/// Throws Refused unless `type` is one, for functions that take floats in either order.
void require_any_order(KeyType type);

/// Throws Refused unless keys of this type have 32 or 64 bits.
void require_wide_keys(KeyType type);

/// Calls use(pointer to the keys' C++ type). Precondition: the keys have 32 or 64 bits.
template <class Use>
void with_wide_keys(const Keys& keys, const Use& use) {
  switch (keys.type) {
    case KeyType::kUint32:
      return use(static_cast<std::uint32_t*>(keys.data));
    case KeyType::kInt32:
      return use(static_cast<std::int32_t*>(keys.data));
    case KeyType::kFloat32:
      return use(static_cast<float*>(keys.data));
    case KeyType::kUint64:
      return use(static_cast<std::uint64_t*>(keys.data));
    case KeyType::kInt64:
      return use(static_cast<std::int64_t*>(keys.data));
    default:
      return use(static_cast<double*>(keys.data));
  }
}

/// Calls use<Bits>(codec) with the codec of keys of this type, which are read as unsigned integers Bits.
template <class Use>
void with_key_codec(KeyType type, Order order, const Use& use) {
  if (!is_short(type)) {
    return with_wide_keys(Keys(nullptr, type), [&]<class Key>(Key* /*keys*/) {
      use.template operator()<kernels::CodeOf<Key>>(kernels::codec_of<Key>(kernel_order(order)));
    });
  }
  const kernels::NumberOrder number = short_number_order(type, order);
  if (number.bytes == 1) {
    use.template operator()<std::uint8_t>(kernels::make_short_codec<std::uint8_t>(number.kind, number.descending));
  } else {
    use.template operator()<std::uint16_t>(kernels::make_short_codec<std::uint16_t>(number.kind, number.descending));
  }
}

}  // namespace sortie::cuda
