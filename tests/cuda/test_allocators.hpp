// Allocators for tests: one that counts, and one that has no memory.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>

#include <sortie/cuda/device_scratch.hpp>

namespace sortie::cuda {

/// Counts what it lends and what comes back.
class CountingAllocator final : public Allocator {
 public:
  void* allocate(std::size_t bytes, cudaStream_t stream) noexcept override {
    ++lent;
    return inner_.allocate(bytes, stream);
  }
  void deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept override {
    ++returned;
    inner_.deallocate(memory, bytes, stream);
  }

  int lent = 0;
  int returned = 0;

 private:
  StreamAllocator inner_;
};

class EmptyAllocator final : public Allocator {
 public:
  void* allocate(std::size_t /*bytes*/, cudaStream_t /*stream*/) noexcept override { return nullptr; }
  void deallocate(void* /*memory*/, std::size_t /*bytes*/, cudaStream_t /*stream*/) noexcept override {
    ADD_FAILURE() << "nothing was lent";
  }
};

}  // namespace sortie::cuda
