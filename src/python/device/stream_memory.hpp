// Memory of a device that belongs to Sortie: taken and given back in the order of a stream. Python's arrays hold it,
// and so does whoever takes one over by DLPack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/device_functions.hpp"

namespace sortie::python {

class StreamMemory {
 public:
  /// Throws MemoryError if the device has too little. Without the GIL.
  StreamMemory(int device, void* stream, std::size_t bytes);
  ~StreamMemory();
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;

  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(data_); }
  void* data() const { return data_; }
  int device() const { return call_.device; }

  /// From now on others may use it in streams that are not known here: it is given back after all of the device's work.
  void share() { is_shared_ = true; }

 private:
  DeviceCall call_;
  void* data_ = nullptr;
  bool is_shared_ = false;
};

}  // namespace sortie::python
