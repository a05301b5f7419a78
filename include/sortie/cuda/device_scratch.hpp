// Scratch memory of one call, in one of two ways. The caller's own: its size comes from the function's
// ..._scratch_bytes(), and the call then allocates nothing, so that it can be captured into a CUDA graph. Or an
// allocator's: the call takes what it needs, and gives it back in the order of the stream.
#pragma once

#include <cstddef>

#include <driver_types.h>

namespace sortie::cuda {

/// Where calls take scratch from, such as a pool of the program's own. It must not throw.
class Allocator {
 public:
  virtual ~Allocator() = default;
  /// Device memory of `bytes`, aligned to 256, that work queued in `stream` from now on may use; null if there is none.
  virtual void* allocate(std::size_t bytes, cudaStream_t stream) noexcept = 0;
  /// Takes memory back that work queued in `stream` before still uses.
  virtual void deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept = 0;
};

/// Takes memory from a pool of CUDA's: cudaMallocAsync() and cudaFreeAsync(). Synchronises nothing. If it has none for
/// another reason than lack of memory, such as a wrong pool, cudaGetLastError() says which.
class StreamAllocator final : public Allocator {
 public:
  /// Without a pool, that of the device that is current in the call.
  explicit StreamAllocator(cudaMemPool_t pool = nullptr) noexcept : pool_(pool) {}

  void* allocate(std::size_t bytes, cudaStream_t stream) noexcept override;
  void deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept override;

 private:
  cudaMemPool_t pool_;
};

/// The scratch of one call.
class Scratch {
 public:
  /// The caller's device memory, aligned to 256 bytes, as that of cudaMalloc() is. Nothing else may use it before the
  /// call's work in its stream is done. What it holds before does not matter; what it holds afterwards is undefined.
  Scratch(void* memory, std::size_t bytes) noexcept : memory_(memory), bytes_(bytes) {}
  /// The allocator must live until the call returns.
  Scratch(Allocator& allocator) noexcept : allocator_(&allocator) {}

  void* memory() const noexcept { return memory_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Null if the memory is the caller's.
  Allocator* allocator() const noexcept { return allocator_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  Allocator* allocator_ = nullptr;
};

}  // namespace sortie::cuda
