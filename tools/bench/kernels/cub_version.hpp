// The CUB that the bench was compiled with: SORTIE_CUB_INCLUDE names another one than that of the CUDA Toolkit.
#pragma once

#include <string>

namespace sortie::bench {

/// The version of the CUB that the sorts stand beside, such as 3.0.1.
std::string cub_version();

}  // namespace sortie::bench
