#include "pipeline/setup/option_fields.hpp"

#include <algorithm>

namespace sortie {

SortOptions part_of_job(const SortOptions& whole, std::initializer_list<OptionRole> inherited) {
  SortOptions part;
  for_each_option([&](const auto& option) {
    if (std::ranges::find(inherited, option.role) != inherited.end()) part.*option.field = whole.*option.field;
  });
  return part;
}

}  // namespace sortie
