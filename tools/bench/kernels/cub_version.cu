#include "bench/kernels/cub_version.hpp"

#include <cub/version.cuh>

namespace sortie::bench {

std::string cub_version() {
  return std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
         std::to_string(CUB_SUBMINOR_VERSION);
}

}  // namespace sortie::bench
