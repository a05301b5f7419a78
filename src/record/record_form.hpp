// In which form sorted records leave a sort. Programs and files get plain ones. A job that is made of several sorts has
// its records passed from one to the next as length-prefixed records (PREFIXED.md), which hold what the next one must
// know: see output/record_shape.hpp. So do parts of an output get records whose ends bytes alone do not say.
#pragma once

#include <cstdint>

namespace sortie {

enum class RecordForm : std::uint8_t {
  kPlain,  ///< as they were read
  kKeyed,  ///< behind their keys: bytes that are equal if keys are, and that memcmp() orders as the output is ordered
  kPositioned,  ///< behind their positions in the input: 8 bytes, big-endian; records with equal keys keep their input
                ///< order
  kFramed,  ///< behind their lengths alone; groups behind the texts of their keys, as GroupState::key_texts() has them
};

}  // namespace sortie
