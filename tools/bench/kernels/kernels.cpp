// Sorts, merges and gathers of this library beside CUB's, in one run on one device: what a claim of speed
// rests on.
//
//   kernels [--sizes=20,28] [--distributions=uniform,zipf|all] [--filter=TEXT] [--json=FILE] [--repeats=9]
//
// Sizes are powers of two. Sorts of up to 2^13 items are measured per call.
#include <cstdint>
#include <cstdio>
#include <exception>

#include "bench/kernels/bench_report.hpp"
#include "bench/kernels/bench_run.hpp"
#include "bench/kernels/families.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kLargestSmallLog2 = 13;
constexpr unsigned kLargestGatherLog2 = 28;

void bench(BenchRun& run) {
  for (const unsigned log2_size : run.options().log2_sizes) {
    const std::uint64_t count = std::uint64_t{1} << log2_size;
    for (const KeyDistribution distribution : run.options().distributions) {
      if (log2_size <= kLargestSmallLog2) {
        bench_small_sorts(run, distribution, count);
        continue;
      }
      bench_radix_sorts(run, distribution, count);
      bench_merges(run, distribution, count);
    }
    if (log2_size > kLargestSmallLog2 && log2_size <= kLargestGatherLog2) bench_gathers(run, count);
  }
}

}  // namespace
}  // namespace sortie::bench

int main(int argument_count, char** arguments) {
  using namespace sortie::bench;
  try {
    const BenchOptions options = parse_options(argument_count, arguments);
    BenchRun run(options);
    bench(run);
    if (!options.json_path.empty()) write_json(options.json_path, run.rows(), run.copy_gigabytes());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernels: %s\n", error.what());
    return 2;
  }
}
