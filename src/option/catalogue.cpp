#include <array>

#include "option/catalogue_parts.hpp"

namespace sortie::option {

// Names that begin alike stand in the order in which GNU sort lists them when a shortened name is ambiguous.
std::span<const GroupOfSpecs> catalogue() {
  static const std::array kGroups = std::to_array<GroupOfSpecs>({
      {Group::kAction, "Output", output_specs()},
      {Group::kAction, "Which records", selection_specs()},
      {Group::kAction, "What to do", action_specs()},
      {Group::kJoin, "Join of two files", join_specs()},
      {Group::kOrder, "Order of lines", order_specs()},
      {Group::kRecords, "Records", record_specs()},
      {Group::kResources, "Resources", resource_specs()},
      {Group::kObservation, "Trust and observation", observation_specs()},
      {Group::kShards, "One sort by several processes, as sortie-cluster runs it", shard_specs()},
      {Group::kOther, "Other", other_specs()},
  });
  return kGroups;
}

std::string_view Spec::brief() const {
  const std::string_view text = help.substr(0, help.find_first_of(":;("));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

const Spec* find_spec(std::string_view name) {
  const bool is_letter = name.size() == 2 && name.front() == '-';
  const Spec* of_python = nullptr;
  for (const GroupOfSpecs& group : catalogue()) {
    for (const Spec& spec : group.specs) {
      if (is_letter ? spec.short_name == name[1] : !spec.long_name.empty() && spec.long_name == name) return &spec;
      if (spec.python.name == name) of_python = &spec;
    }
  }
  return of_python;
}

std::string display_name(const Spec& spec, std::string_view separator) {
  std::string name;
  if (spec.short_name != '\0') name.append("-").append(1, spec.short_name);
  if (!name.empty() && !spec.long_name.empty()) name.append(separator);
  if (!spec.long_name.empty()) name.append("--").append(spec.long_name);
  return name;
}

}  // namespace sortie::option
