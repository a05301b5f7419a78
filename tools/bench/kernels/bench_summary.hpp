// What a reader of many rows wants to know, printed last: how far ahead at the size that claims are made of, and
// which sort is the fastest at which size.
#pragma once

#include <vector>

#include "bench/kernels/measurement.hpp"

namespace sortie::bench {

/// Rows with peers show the ratio to the better one by distribution, the others the share of a copy: at 2^28 items,
/// or the largest size below. Then come the sizes at which the fastest of the sorts changes, uniform keys.
void print_summary(const std::vector<Measurement>& rows, double copy_gigabytes);

}  // namespace sortie::bench
