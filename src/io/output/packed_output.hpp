// What all outputs that pack their bytes have in common: an end of their own, and no known length.
#pragma once

#include <cstdint>

#include "io/output/passing_output.hpp"

namespace sortie {

class PackedOutput : public PassingOutput {
 public:
  /// Nobody knows how long it will be when it is packed.
  void expect(std::uint64_t) override {}
  void finish() override = 0;

 protected:
  using PassingOutput::PassingOutput;
};

}  // namespace sortie
