#include "python/device/stream_memory.hpp"

#include "python/device/device_module.hpp"

namespace sortie::python {

StreamMemory::StreamMemory(int device, void* stream, std::size_t bytes) : call_{device, stream, nullptr, 0} {
  if (bytes == 0) return;
  DeviceMessage message{};
  raise_failure(device_functions().allocate(bytes, call_, &data_, message), message);
}

StreamMemory::~StreamMemory() {
  if (data_ != nullptr) device_functions().release_memory(data_, call_, is_shared_);
}

}  // namespace sortie::python
