// Arrays in device memory for kernel tests. They are filled from vectors, or poisoned so that items which a kernel
// does not write are noticed.
#pragma once

#include <cstdint>
#include <vector>

#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_memory.hpp"

namespace sortie {

inline constexpr int kPoison = 0xa5;

template <class T>
class DeviceArray {
 public:
  /// An array of `count` poisoned items.
  DeviceArray(std::uint64_t count, const CudaStream& stream)
      : stream_(stream), count_(count), buffer_(count * sizeof(T)) {
    if (count != 0) check_cuda(cudaMemsetAsync(buffer_.data(), kPoison, count * sizeof(T), stream.handle()), "poison");
  }

  DeviceArray(const std::vector<T>& items, const CudaStream& stream) : DeviceArray(items.size(), stream) {
    if (items.empty()) return;
    check_cuda(cudaMemcpyAsync(data(), items.data(), items.size() * sizeof(T), cudaMemcpyDefault, stream.handle()),
               "upload");
    stream.synchronize();
  }

  /// Waits for the stream's work.
  std::vector<T> download() const {
    std::vector<T> items(count_);
    if (count_ != 0) {
      check_cuda(cudaMemcpyAsync(items.data(), data(), count_ * sizeof(T), cudaMemcpyDefault, stream_.handle()),
                 "download");
    }
    stream_.synchronize();
    return items;
  }

  T* data() const { return reinterpret_cast<T*>(buffer_.data()); }

 private:
  const CudaStream& stream_;
  std::uint64_t count_;
  DeviceBuffer buffer_;
};

}  // namespace sortie
