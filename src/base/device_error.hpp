// Failures of a GPU, for the layers above those that know CUDA: the pipeline catches them and tries again with less.
#pragma once

#include <sortie/error.hpp>

namespace sortie {

/// A GPU, its driver or the link to it failed. The CPU can still do the work.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// The device has no room for what was asked: a lower ceiling on device memory may still work.
class DeviceMemoryError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// Too little of the device's memory is free even to begin: asking for less does not help.
class DeviceFullError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

}  // namespace sortie
