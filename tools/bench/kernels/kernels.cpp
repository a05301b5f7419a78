// Measures all kernels of this library in one run on one device: sorts and merges beside CUB's, streams beside a copy.
// Claims of speed rest on it.
//
// `kernels --sizes=all --distributions=all --json=FILE` makes the whole table in some three minutes on an H200;
// tools/bench/plot_kernels draws it.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>

#include "bench/kernels/bench_report.hpp"
#include "bench/kernels/bench_run.hpp"
#include "bench/kernels/families.hpp"
#include "bench/kernels/option_values.hpp"

namespace sortie::bench {
namespace {

constexpr char kUsage[] = R"(usage: kernels [OPTION...]
  --sizes=LOG2,...|all          numbers of items, 10 to 30; default: 20,24,28
  --distributions=NAME,...|all  uniform (the default), constant, few-valued, constant-high, sorted, reversed,
                                nearly-sorted, zipf, words, geometric, groups
  --filter=TEXT                 only operations whose name contains it, such as 'radix' or 'u64+u32'
  --json=FILE                   all rows, for tools/bench/plot_kernels
  --repeats=N                   that the median is taken of, 7 to 1000; default: 9
)";

constexpr unsigned kSmallestLog2 = 10;
constexpr unsigned kLargestLog2 = 30;

KeyDistribution parse_distribution(const std::string& name) {
  std::string names;
  for (const KeyDistribution distribution : kAllKeyDistributions) {
    if (to_string(distribution) == name) return distribution;
    names += ' ';
    names += to_string(distribution);
  }
  throw Error("--distributions: '" + name + "' is none of" + names);
}

std::vector<unsigned> all_sizes() {
  std::vector<unsigned> sizes(kLargestLog2 - kSmallestLog2 + 1);
  std::iota(sizes.begin(), sizes.end(), kSmallestLog2);
  return sizes;
}

void set_option(BenchOptions& options, const std::string& name, const std::string& value) {
  if (name == "--sizes") {
    options.log2_sizes = parse_list(value, all_sizes(), [&](const std::string& size) {
      return parse_number(size, kSmallestLog2, kLargestLog2, name);
    });
  } else if (name == "--distributions") {
    options.distributions = parse_list<KeyDistribution>(
        value, {std::begin(kAllKeyDistributions), std::end(kAllKeyDistributions)}, parse_distribution);
  } else if (name == "--filter") {
    options.filter = value;
  } else if (name == "--json") {
    options.json_path = value;
  } else if (name == "--repeats") {
    options.repeats = parse_number(value, 7, 1000, name);
  } else {
    throw Error("unknown option " + name + "; see kernels --help");
  }
}

/// Throws Error naming the argument that is wrong.
BenchOptions parse_options(int argument_count, char** arguments) {
  BenchOptions options;
  for (int i = 1; i < argument_count; ++i) {
    const std::string argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    set_option(options, argument.substr(0, equals), value);
  }
  return options;
}

constexpr unsigned kSmallestMergeLog2 = 14;  ///< with fewer items, launches dominate merges and streams
constexpr unsigned kLargestRecordLog2 = 28;  ///< with more, two copies of the records would not fit

void bench_size(BenchRun& run, unsigned log2_size) {
  const std::uint64_t count = std::uint64_t{1} << log2_size;
  for (const KeyDistribution distribution : run.options().distributions) {
    run.begin_family("sorts");
    bench_key_sorts(run, distribution, count);
    bench_pair_sorts(run, distribution, count);
    run.begin_family("radix sorts");
    bench_short_sorts(run, distribution, count);
    bench_integer_sorts(run, distribution, count);
    bench_float_sorts(run, distribution, count);
    if (log2_size < kSmallestMergeLog2) continue;
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
  run.begin_family("segmented sorts");
  bench_segmented_sorts(run);
  if (!options.json_path.empty()) write_json(options.json_path, run.rows(), run.copy_gigabytes());
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
