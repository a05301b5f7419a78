// What formers and mergers take over from the options of their engine.
#pragma once

#include <sortie/options.hpp>

#include "engine/gpu/staging/device_timeline.hpp"

namespace sortie::gpu {

struct EngineSetup {
  int device = 0;
  unsigned threads = 1;
  Algorithm algorithm = Algorithm::kAuto;
  DeviceTimeline* timeline = nullptr;  ///< of the device; outlives them
};

}  // namespace sortie::gpu
