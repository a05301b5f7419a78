// Memory of the host that belongs to the caller, pinned while a call works on it, so that GPUs copy from and to it at
// the link's speed. What is pinned already is left as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <cuda_runtime_api.h>

#include "device/pinned_memory.hpp"

namespace sortie::cuda {

class CallersMemory {
 public:
  CallersMemory() = default;
  /// Pins the whole pages in large memory if the system lets it: otherwise copies are slower and the caller waits for
  /// them. Memory that is only read may be given, too: it is not written.
  CallersMemory(const void* data, std::uint64_t bytes);

  std::byte* data() const { return memory_.data(); }

  /// Each queues a copy of `bytes` from or to byte `begin` of the memory. Throws sortie::Error.
  void upload(std::uint64_t begin, std::uint64_t bytes, void* target, cudaStream_t stream) const;
  void download(const void* source, std::uint64_t begin, std::uint64_t bytes, cudaStream_t stream) const;

 private:
  template <class Copy>
  void for_each_stretch(std::uint64_t begin, std::uint64_t bytes, const Copy& copy) const;

  std::span<std::byte> memory_;
  std::uint64_t pinned_begin_ = 0;  ///< bytes [pinned_begin_, pinned_end_) are pinned here
  std::uint64_t pinned_end_ = 0;
  std::unique_ptr<RegisteredMemory> pin_;
};

}  // namespace sortie::cuda
