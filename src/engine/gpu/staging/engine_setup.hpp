// The options of an engine that its formers and mergers take over.
#pragma once

#include <sortie/options.hpp>

#include "engine/gpu/staging/device_timeline.hpp"

namespace sortie::gpu {

struct EngineSetup {
  int device = 0;
  unsigned threads = 1;
  Algorithm algorithm = Algorithm::kAuto;
  DeviceTimeline* timeline = nullptr;  ///< the device's; outlives formers and mergers
};

}  // namespace sortie::gpu
