// Prints the bench's rows as a table for the terminal and as JSON for the plot.
#pragma once

#include <string>
#include <vector>

#include "bench/kernels/measurement.hpp"

namespace sortie::bench {

void print_header(double copy_gigabytes);
void print_row(const Measurement& row, double copy_gigabytes);

/// Writes {"device": ..., "copy_gigabytes_per_second": ..., "rows": [...]}. Throws Error naming the path.
void write_json(const std::string& path, const std::vector<Measurement>& rows, double copy_gigabytes);

}  // namespace sortie::bench
