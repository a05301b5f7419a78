// Bits that nobody can guess, for names of files and of jobs. std::random_device asks the processor what it has, which
// takes some 30 us in a virtual machine.
#pragma once

#include <cstdint>

namespace sortie {

std::uint64_t random_bits();

}  // namespace sortie
