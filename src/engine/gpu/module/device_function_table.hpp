// The module's functions on arrays in device memory: those of sortie::cuda behind plain signatures.
#pragma once

#include "engine/device_functions.hpp"

namespace sortie {

extern const DeviceFunctions kDeviceFunctions;

}  // namespace sortie
