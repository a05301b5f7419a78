// Host memory that somebody else owns, registered with CUDA so that the GPUs copy to and from it at full speed.
// Made by Engine::pin() of the GPU engine.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/memory_pin.hpp"

namespace sortie {

class RegisteredMemory : public MemoryPin {
 public:
  /// Registers whole pages. Touch them before: then it runs at 60 GB/s, otherwise at 7 (H200). Usable from every
  /// device. Null if the system does not lock that much.
  static std::unique_ptr<RegisteredMemory> make(std::span<std::byte> memory);
  ~RegisteredMemory() override;
  RegisteredMemory(const RegisteredMemory&) = delete;
  RegisteredMemory& operator=(const RegisteredMemory&) = delete;

 private:
  explicit RegisteredMemory(std::byte* begin) : begin_(begin) {}

  std::byte* begin_;
};

}  // namespace sortie
