// The functions of the GPU engine's module for arrays in device memory, as Python's bindings call them: loaded when the
// first one is called, without the GIL, and with errors of the package.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "engine/device_functions.hpp"

namespace sortie::python {

/// Loads the module. Throws Error if there is none that can be used.
const DeviceFunctions& device_functions();

/// Raises what Python has for the failure; returns after success.
void raise_failure(cuda::StatusCode code, const DeviceMessage& message);

/// Calls work(functions, message), which returns a StatusCode, and raises what went wrong.
template <class Work>
void call_device(const Work& work) {
  DeviceMessage message{};
  cuda::StatusCode code{};
  {
    const nanobind::gil_scoped_release unlocked;
    code = work(device_functions(), message);
  }
  raise_failure(code, message);
}

/// An address or a stream as Python's int.
inline void* pointer_of(std::uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace sortie::python
