// The main() of benchmarks of arrays on 1, 2, ... GPUs: NAME [LOG2_COUNT] [COUNTS] [MORE], COUNTS such as 1,2,4.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "base/system_limits.hpp"
#include "base/thread_team.hpp"

namespace sortie::bench {

struct BenchArguments {
  int log2_count;           ///< of items
  std::vector<int> counts;  ///< of GPUs, or of shards
  std::string more;         ///< empty if it was left out
};

/// Calls bench(arguments) by a team of all threads. Returns the exit status.
template <class Bench>
int run_bench(const char* usage, int default_log2_count, int argument_count, char** given, const Bench& bench) {
  const int log2_count = argument_count > 1 ? std::atoi(given[1]) : default_log2_count;
  if (argument_count > 4 || log2_count < 1 || log2_count > 40) {
    std::fprintf(stderr, "usage: %s\n", usage);
    return 2;
  }
  try {
    BenchArguments arguments{log2_count, {}, argument_count > 3 ? given[3] : ""};
    std::istringstream list(argument_count > 2 ? given[2] : "1");
    for (std::string count; std::getline(list, count, ',');) arguments.counts.push_back(std::stoi(count));
    ThreadTeam(available_threads()).run([&] { bench(arguments); });
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", given[0], error.what());
    return 2;
  }
}

}  // namespace sortie::bench
