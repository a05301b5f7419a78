// Measures the public functions of sortie::cuda, with scratch of the caller's, in one run on one device: beside CUB's,
// Thrust's, and beside a copy of their input.
//
// `cuda_functions --log=FILE` makes the whole table in less than two minutes.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include <sortie/error.hpp>

#include "bench/cuda_functions/function_table.hpp"
#include "bench/cuda_functions/functions.hpp"
#include "bench/kernels/option_values.hpp"

namespace sortie::bench {
namespace {

constexpr char kUsage[] = R"(usage: cuda_functions [OPTION...]
  --sizes=LOG2,...   numbers of items, 10 to 31; default: 10,12,14,16,18,20,22,24,28,31, the last one for few functions
  --filter=TEXT      only functions whose name contains it, such as 'radix' or 'u64+u32'
  --log=FILE         all times, as tab-separated lines
  --repeats=N        that the median is taken of, 3 to 1000; default: 9
)";

FunctionOptions parse_options(int argument_count, char** arguments) {
  FunctionOptions options;
  for (int i = 1; i < argument_count; ++i) {
    const std::string argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "--sizes") {
      options.log2_sizes = parse_list<unsigned>(
          value, options.log2_sizes, [&](const std::string& size) { return parse_number(size, 10, 31, name); });
    } else if (name == "--filter") {
      options.filter = value;
    } else if (name == "--log") {
      options.log_path = value;
    } else if (name == "--repeats") {
      options.repeats = parse_number(value, 3, 1000, name);
    } else {
      throw Error("unknown option " + name + "; see cuda_functions --help");
    }
  }
  return options;
}

void bench_all(FunctionTable& table) {
  const auto each_size = [&](void (*bench)(FunctionTable&, std::uint64_t)) {
    for (const unsigned log2_size : table.options().log2_sizes) bench(table, std::uint64_t{1} << log2_size);
  };
  each_size(bench_key_functions);
  each_size(bench_pair_functions);
  each_size(bench_merge_functions);
  each_size(bench_merge_sort_functions);
  each_size(bench_selections);
  bench_segments(table);
  bench_rows(table);
  each_size(bench_set_operations);
}

/// What was measured is shown, also if something fails later.
void bench(FunctionTable& table) {
  try {
    bench_all(table);
  } catch (const std::exception&) {
    table.print();
    throw;
  }
  table.print();
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
    FunctionTable table(parse_options(argument_count, arguments));
    bench(table);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuda_functions: %s\n", error.what());
    return 2;
  }
}
