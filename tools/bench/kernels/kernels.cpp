// Measures all kernels of this library in one run on one device: sorts and merges beside CUB's, streams beside a copy.
// Claims of speed rest on it.
//
// `kernels --sizes=all --distributions=all --json=FILE` makes the whole table in some three minutes on an H200;
// tools/bench/plot_kernels draws it.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string_view>

#include "bench/kernels/bench_report.hpp"
#include "bench/kernels/bench_run.hpp"
#include "bench/kernels/bench_summary.hpp"
#include "bench/kernels/families.hpp"

namespace sortie::bench {
namespace {

constexpr char kUsage[] = R"(usage: kernels [OPTION...]
  --sizes=LOG2,...|all          numbers of items, 10 to 30; default: 20,24,28
  --distributions=NAME,...|all  uniform (the default), few-valued, constant-high, sorted, reversed, zipf
  --filter=TEXT                 only operations whose name contains it, such as 'radix' or 'u64+u32'
  --json=FILE                   all rows, for tools/bench/plot_kernels
  --repeats=N                   that the median is taken of, 7 to 1000; default: 9
)";

constexpr unsigned kSmallestMergeLog2 = 14;  ///< with fewer items, launches dominate merges and streams
constexpr unsigned kLargestRecordLog2 = 28;  ///< with more, two copies of the records would not fit

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
}

/// Writes the JSON after every size, so that a run that is cut short leaves its rows.
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
  if (argument_count == 2 && std::string_view(arguments[1]) == "--help") {
    std::fputs(kUsage, stdout);
    return 0;
  }
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
