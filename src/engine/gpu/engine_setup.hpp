// What formers and mergers take over from the options of their engine.
#pragma once

#include <sortie/options.hpp>

namespace sortie::gpu {

struct EngineSetup {
  int device = 0;
  unsigned threads = 1;
  Algorithm algorithm = Algorithm::kAuto;
};

}  // namespace sortie::gpu
