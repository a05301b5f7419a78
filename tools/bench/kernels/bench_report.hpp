// Prints the bench's rows as a table for the terminal, with a summary in the end, and as JSON for the plot.
#pragma once

#include <string>
#include <vector>

#include "bench/kernels/measurement.hpp"

namespace sortie::bench {

/// The name of the current device. Throws Error.
std::string device_name();

void print_header(double copy_gigabytes);
void print_row(const Measurement& row, double copy_gigabytes);

/// Writes {"device": ..., "cub": ..., "copy_gigabytes_per_second": ..., "rows": [...]}. Throws Error naming the path.
void write_json(const std::string& path, const std::vector<Measurement>& rows, double copy_gigabytes);

/// Rows with peers show the ratio to the best one by distribution, the others the share of a copy's speed, at 2^28
/// items or the largest size below. The sizes follow at which the fastest sort of uniform keys changes, and how many
/// rows of the radix sort are behind.
void print_summary(const std::vector<Measurement>& rows, double copy_gigabytes);

}  // namespace sortie::bench
