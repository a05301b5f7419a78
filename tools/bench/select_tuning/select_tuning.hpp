// Shapes of the kernels of unique() and of set operations, timed beside each other and checked against the host.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "kernels/sorted_sets.hpp"

namespace sortie::bench {

template <class Bits>
struct UniqueVariant {
  std::string name;
  unsigned value_bytes;
  std::function<void(const kernels::ListItems<Bits>&, const kernels::KeptItems<Bits>&, void*, cudaStream_t)> run;
};

template <class Bits>
struct SetVariant {
  std::string name;
  std::function<void(kernels::SetSelection, const kernels::ListItems<Bits>&, const kernels::ListItems<Bits>&,
                     const kernels::KeptItems<Bits>&, void*, cudaStream_t)>
      run;
};

std::vector<UniqueVariant<std::uint32_t>> unique_variants_32();
std::vector<UniqueVariant<std::uint64_t>> unique_variants_64();
std::vector<SetVariant<std::uint32_t>> set_variants_32();
std::vector<SetVariant<std::uint64_t>> set_variants_64();

}  // namespace sortie::bench
