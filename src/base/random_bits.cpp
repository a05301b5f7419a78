#include "base/random_bits.hpp"

#include <random>

#include <unistd.h>

namespace sortie {

std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (::getentropy(&bits, sizeof bits) == 0) return bits;
  std::random_device device;  // the system is too old
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace sortie
