// What held a job up, and what would help: a rule from figures to two sentences. The page of --report shows them.
#pragma once

#include <cstddef>
#include <string>

#include <sortie/report.hpp>

namespace sortie {

/// What the advice needs to know beside the report.
struct SortConditions {
  const char* job = "sort";  ///< or "join"
  unsigned threads = 1;      ///< that the sort was to use
  unsigned processors = 1;   ///< that the process may use
  std::size_t scratch_directories = 1;
  bool reads_stream = false;   ///< an input is a pipe, or a program pushes records
  bool writes_stream = false;  ///< the output is a pipe, or a program takes it
  bool packs_output = false;
};

struct ProcessorUse {
  double seconds = 0;        ///< of all processors, during the sort
  double machine_share = 0;  ///< of the time of the machine's processors, for this and other programs; 0 if unknown
};

/// How many processors the threads of the sort could keep busy.
unsigned used_processors(const SortConditions& conditions);

struct Advice {
  std::string bottleneck;  ///< "The disk of the scratch space is busy 94% of the time."
  std::string help;        ///< "More memory, for fewer than 3 passes."
};

/// Pure. Options are named as the command has them.
Advice advise(const WorkReport& report, const SortConditions& conditions, const ProcessorUse& use);

}  // namespace sortie
