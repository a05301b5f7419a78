// The machine that this process runs on, for all doors but tests.
#pragma once

#include "pipeline/setup/machine.hpp"

namespace sortie {

/// This machine. Its GPUs can be used if the GPU module is there. Looking for them touches no GPU and does not load the
/// module.
Machine this_machine();

}  // namespace sortie
