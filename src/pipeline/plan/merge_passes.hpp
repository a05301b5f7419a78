// Which runs are merged together when there are more than one pass can take. Pure.
#pragma once

#include <cstddef>
#include <vector>

namespace sortie {

/// Runs [begin, end) become one run. Neighbours only: the order of runs is the order of equal keys.
struct MergeGroup {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The groups of one intermediate pass over `run_count` > `fan_in` >= 2 runs. Runs in no group stay as
/// they are: no more is merged than the final merge needs, which saves moving the rest.
std::vector<MergeGroup> plan_merge_pass(std::size_t run_count, std::size_t fan_in);

}  // namespace sortie
