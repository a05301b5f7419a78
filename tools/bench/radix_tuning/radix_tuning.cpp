// Finds the fastest tiles of the radix sort on this device. tools/bench/tune_radix puts what this prints into
// kernels/radix/radix_tuning.hpp. Arguments: the rows to make, of `short`, `narrow` and `wide`; all of them if there is
// none.
#include <cstdio>
#include <exception>
#include <set>
#include <string>

#include <cuda_runtime_api.h>
#include <sortie/error.hpp>

#include "bench/kernels/bench_run.hpp"
#include "kernels/common/launch.hpp"

namespace sortie::bench {

void print_short_rows(const BenchRun& run, unsigned architecture);
void print_narrow_rows(const BenchRun& run, unsigned architecture);
void print_wide_rows(const BenchRun& run, unsigned architecture);

namespace {

void print_rows(const std::set<std::string>& wanted) {
  const BenchRun run(BenchOptions{});
  const unsigned architecture = kernels::device_architecture();
  const auto wants = [&](const char* rows) { return wanted.empty() || wanted.contains(rows); };
  if (wants("short")) print_short_rows(run, architecture);
  if (wants("narrow")) print_narrow_rows(run, architecture);
  if (wants("wide")) print_wide_rows(run, architecture);
}

}  // namespace
}  // namespace sortie::bench

int main(int argument_count, char** arguments) {
  try {
    std::set<std::string> wanted(arguments + 1, arguments + argument_count);
    for (const std::string& rows : wanted) {
      if (rows != "short" && rows != "narrow" && rows != "wide") {
        throw sortie::Error("'" + rows + "' is none of short, narrow, wide");
      }
    }
    sortie::bench::print_rows(wanted);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "radix_tuning: %s\n", error.what());
    return 2;
  }
}
