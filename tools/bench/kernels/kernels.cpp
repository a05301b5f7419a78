// All kernels of this library, sorts and merges beside CUB's and streams beside a copy, in one run on one device:
// what a claim of speed rests on.
//
//   kernels [--sizes=20,28|all] [--distributions=uniform,zipf|all] [--filter=TEXT] [--json=FILE] [--repeats=9]
//
// Sizes are powers of two, 2^10 to 2^30. `--sizes=all --distributions=all` makes the whole table, in some three
// minutes of an H200; tools/bench/plot_kernels draws it.
#include <cstdint>
#include <cstdio>
#include <exception>

#include "bench/kernels/bench_report.hpp"
#include "bench/kernels/bench_run.hpp"
#include "bench/kernels/bench_summary.hpp"
#include "bench/kernels/families.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kSmallestMergeLog2 = 14;  ///< below, merges and streams are all launch
constexpr unsigned kLargestRecordLog2 = 28;  ///< beyond, two copies of the records would not fit

void bench_size(BenchRun& run, unsigned log2_size) {
  const std::uint64_t count = std::uint64_t{1} << log2_size;
  for (const KeyDistribution distribution : run.options().distributions) {
    run.begin_family("sorts");
    bench_key_sorts(run, distribution, count);
    bench_pair_sorts(run, distribution, count);
    if (log2_size < kSmallestMergeLog2) continue;
    run.begin_family("radix sorts");
    bench_radix_sorts(run, distribution, count);
    run.begin_family("merges");
    bench_merges(run, distribution, count);
  }
  if (log2_size < kSmallestMergeLog2 || log2_size > kLargestRecordLog2) return;
  run.begin_family("records");
  bench_records(run, count);
  run.begin_family("lines");
  bench_lines(run, count);
  run.begin_family("checks");
  bench_checks(run, count);
}

/// Written after every size, so that a run that is cut short leaves what it has.
void bench(BenchRun& run) {
  const BenchOptions& options = run.options();
  for (const unsigned log2_size : options.log2_sizes) {
    bench_size(run, log2_size);
    if (!options.json_path.empty()) write_json(options.json_path, run.rows(), run.copy_gigabytes());
  }
}

}  // namespace
}  // namespace sortie::bench

int main(int argument_count, char** arguments) {
  using namespace sortie::bench;
  try {
    BenchRun run(parse_options(argument_count, arguments));
    bench(run);
    print_summary(run.rows(), run.copy_gigabytes());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernels: %s\n", error.what());
    return 2;
  }
}
