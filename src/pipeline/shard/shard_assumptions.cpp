#include "pipeline/shard/shard_assumptions.hpp"

#include <string_view>

namespace sortie {
namespace {

/// Times without a zone are told if others of the key, of whatever shard, have one.
const char* only_with(std::string_view kind) { return kind == "assumed-zone" ? "written-zone" : ""; }

}  // namespace

std::vector<ShardAssumption> shard_assumptions(const Assumptions& assumptions) {
  std::vector<ShardAssumption> told;
  for (const Assumptions::Parts& part : assumptions.parts()) {
    told.push_back({part.kind, part.subject, part.some, part.all, part.only_if_all, part.count, part.of,
                    part.first_place, only_with(part.kind)});
  }
  return told;
}

void refuse_if_strict(const std::vector<ShardAssumption>& assumptions, const SortOptions& options) {
  if (!options.strict) return;
  std::vector<Assumption> refused;
  for (const ShardAssumption& told : assumptions) {
    if (told.only_if_all || !told.only_with.empty() || told.some.empty()) continue;
    const std::string& text = told.count < told.of ? told.some : told.all;
    refused.push_back(
        {told.kind, Assumptions::message_of(text, told.count, told.of), told.count, told.of, told.first_place});
  }
  refuse_assumptions(refused);
}

}  // namespace sortie
