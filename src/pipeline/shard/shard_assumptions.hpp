// What a part of a sort by several processes assumed, as the functions for shards tell it.
#pragma once

#include <vector>

#include <sortie/options.hpp>
#include <sortie/shard.hpp>

#include "observe/assumptions.hpp"

namespace sortie {

std::vector<ShardAssumption> shard_assumptions(const Assumptions& assumptions);

/// Throws Error if the sort is strict and there are any. What depends on all shards is left to who knows them.
void refuse_if_strict(const std::vector<ShardAssumption>& assumptions, const SortOptions& options);

}  // namespace sortie
