// The items of an array in host memory, and how stretches of them travel to a GPU and back. Both ways of sorting such
// an array use it: resident_sort.hpp and external_sort.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sortie/cuda/device_arrays.hpp>

#include "cuda/host/callers_memory.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_memory.hpp"

namespace sortie::cuda {

/// Items [begin, begin + count).
struct Stretch {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

/// Where a stretch is on a GPU.
struct StretchArrays {
  std::byte* keys = nullptr;
  std::byte* values = nullptr;
};

class HostItems {
 public:
  /// Keys, and values unless their size is 0, that come and go.
  HostItems(const Keys& keys, const Values& values, std::uint64_t count, Order order)
      : HostItems(keys, Part::kGoesAndComes, values.data, values.bytes, Part::kGoesAndComes, count, order) {}
  /// Keys that are only read, and their positions, which are made on the GPU.
  HostItems(const ConstKeys& keys, const Positions& positions, std::uint64_t count, Order order)
      : HostItems(keys, Part::kGoes, positions.data, positions.bytes, Part::kComes, count, order) {}

  KeyType type() const { return type_; }
  std::size_t key_bytes() const { return bytes_of(type_); }
  std::size_t value_bytes() const { return value_bytes_; }
  std::uint64_t count() const { return count_; }
  Order order() const { return order_; }

  /// Each queues the copies of one stretch.
  void upload(const Stretch& stretch, const StretchArrays& target, cudaStream_t stream) const;
  void download(const StretchArrays& source, const Stretch& stretch, cudaStream_t stream) const;

 private:
  /// Which ways an array takes.
  enum class Part : std::uint8_t { kGoesAndComes, kGoes, kComes };

  HostItems(const ConstKeys& keys, Part key_part, const void* values, std::size_t value_bytes, Part value_part,
            std::uint64_t count, Order order)
      : type_(keys.type),
        value_bytes_(value_bytes),
        count_(count),
        order_(order),
        key_part_(key_part),
        value_part_(value_part),
        keys_(keys.data, count * bytes_of(keys.type)),
        values_(values, count * value_bytes) {}

  KeyType type_;
  std::size_t value_bytes_;
  std::uint64_t count_;
  Order order_;
  Part key_part_;
  Part value_part_;
  CallersMemory keys_;
  CallersMemory values_;
};

/// A stream of a device, with memory for what it does.
class DeviceLane {
 public:
  /// Selects the device. Throws DeviceMemoryError, DeviceError.
  DeviceLane(int device, std::uint64_t bytes);
  /// Waits for the work in flight.
  ~DeviceLane();
  DeviceLane(const DeviceLane&) = delete;
  DeviceLane& operator=(const DeviceLane&) = delete;

  int device() const { return device_; }
  std::byte* memory() const { return memory_.data(); }
  std::uint64_t bytes() const { return memory_.size_bytes(); }
  cudaStream_t stream() const { return stream_.handle(); }
  /// Makes its device the current one.
  void select() const;
  void synchronize() const;

 private:
  int device_;
  DeviceBuffer memory_;
  CudaStream stream_;
};

}  // namespace sortie::cuda
