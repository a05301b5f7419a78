#include <array>

#include "option/catalogue_parts.hpp"

namespace sortie::option {

std::span<const GroupOfSpecs> catalogue() {
  static const std::array parts = std::to_array<GroupOfSpecs>({
      {Group::kAction, output_specs()},
      {Group::kAction, selection_specs()},
      {Group::kAction, action_specs()},
      {Group::kJoin, join_specs()},
      {Group::kObservation, debug_specs()},
      {Group::kOrder, order_specs()},
      {Group::kRecords, record_specs()},
      {Group::kRecords, file_format_specs()},
      {Group::kResources, resource_specs()},
      {Group::kObservation, observation_specs()},
      {Group::kShards, shard_specs()},
      {Group::kOther, other_specs()},
  });
  return parts;
}

std::span<const GroupTitle> group_titles() {
  static constexpr std::array kTitles = std::to_array<GroupTitle>({
      {Group::kAction, "What to do"},
      {Group::kJoin, "Join of two files"},
      {Group::kOrder, "Order of lines"},
      {Group::kRecords, "Records"},
      {Group::kResources, "Resources"},
      {Group::kObservation, "Trust and observation"},
      {Group::kShards, "One sort by several processes, as sortie-cluster runs it"},
      {Group::kOther, "Other"},
  });
  return kTitles;
}

Group group_of(const Spec& spec) {
  for (const GroupOfSpecs& part : catalogue()) {
    if (&spec >= part.specs.data() && &spec < part.specs.data() + part.specs.size()) return part.group;
  }
  return Group::kOther;
}

std::string_view Spec::brief() const {
  const std::string_view text = help.substr(0, help.find_first_of(":;("));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

bool is_called(const Spec& spec, std::string_view name) {
  name = name.substr(0, name.find('='));
  if (name.size() == 2 && name.front() == '-') return spec.short_name == name[1];
  return (spec.long_name.empty() ? spec.python.name : spec.long_name) == name;
}

const Spec* find_spec(std::string_view name) {
  const Spec* found = nullptr;
  for_each_spec([&](const Spec& spec) {
    if (found == nullptr && is_called(spec, name)) found = &spec;
  });
  return found;
}

std::vector<const Spec*> given_in(const SortOptions& options) {
  std::vector<const Spec*> specs;
  for_each_spec([&](const Spec& spec) {
    if (spec.is_set && spec.is_set(options)) specs.push_back(&spec);
  });
  return specs;
}

std::string display_name(const Spec& spec, std::string_view separator) {
  std::string name;
  if (spec.short_name != '\0') name.append("-").append(1, spec.short_name);
  if (!name.empty() && !spec.long_name.empty()) name.append(separator);
  if (!spec.long_name.empty()) name.append("--").append(spec.long_name);
  return name;
}

}  // namespace sortie::option
