#include "device/registered_memory.hpp"

#include <cuda_runtime_api.h>

#include "base/page_size.hpp"
#include "base/size.hpp"
#include "device/cuda_fault.hpp"

namespace sortie {

std::unique_ptr<RegisteredMemory> RegisteredMemory::make(std::span<std::byte> memory) {
  const std::uint64_t bytes = round_up(memory.size(), kPageBytes);
  const auto pin = [&] { return cudaHostRegister(memory.data(), bytes, cudaHostRegisterPortable); };
  if (call_or_fault(pin) == cudaSuccess) {
    return std::unique_ptr<RegisteredMemory>(new RegisteredMemory(memory.data()));
  }
  static_cast<void>(cudaGetLastError());
  return nullptr;
}

// A failure here is a failure of the device: its next user meets it.
RegisteredMemory::~RegisteredMemory() { static_cast<void>(cudaHostUnregister(begin_)); }

}  // namespace sortie
