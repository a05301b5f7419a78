// The summary that is printed last: the lead over the peers at the size that claims refer to, and the fastest sort at
// each size.
#pragma once

#include <vector>

#include "bench/kernels/measurement.hpp"

namespace sortie::bench {

/// Rows with peers show the ratio to the best one by distribution, the others the share of a copy's speed, at 2^28
/// items or the largest size below. The sizes follow at which the fastest sort of uniform keys changes.
void print_summary(const std::vector<Measurement>& rows, double copy_gigabytes);

}  // namespace sortie::bench
