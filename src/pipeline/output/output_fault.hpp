// The error for an output that the sort itself finds wrong.
#pragma once

#include <string>

#include <sortie/error.hpp>

namespace sortie {

[[noreturn]] inline void throw_output_fault(const std::string& finding) {
  throw Error("internal check failed: " + finding +
              "; the output was discarded: the memory or a device of this machine may be faulty, please report it");
}

}  // namespace sortie
