#include "pipeline/plan/merge_passes.hpp"

#include <algorithm>

#include "base/size.hpp"

namespace sortie {

std::vector<MergeGroup> plan_merge_pass(std::size_t run_count, std::size_t fan_in) {
  const std::size_t fewest = divide_up(run_count, fan_in);  // fewest runs that one pass can leave
  std::size_t to_remove = run_count - std::max(fan_in, fewest);
  std::vector<MergeGroup> groups;
  for (std::size_t begin = 0; to_remove > 0;) {
    const std::size_t size = std::min({fan_in, to_remove + 1, run_count - begin});
    groups.push_back({begin, begin + size});
    to_remove -= size - 1;
    begin += size;
  }
  return groups;
}

}  // namespace sortie
