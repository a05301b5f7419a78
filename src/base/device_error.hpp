// What a GPU's failures are called above the layers that know CUDA: the pipeline then tries again with less.
#pragma once

#include <sortie/error.hpp>

namespace sortie {

/// A GPU, its driver or the link to it failed. The CPU can still do the work.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// The device has no room for what was asked: a smaller --device-memory may still work.
class DeviceMemoryError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// Too little of the device's memory is free to begin at all: less of it does not help.
class DeviceFullError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

}  // namespace sortie
