// Totals as the functions for shards tell them.
#pragma once

#include <sortie/shard.hpp>

#include "record/record_totals.hpp"

namespace sortie {

inline ShardTotals shard_totals(const RecordTotals& totals) { return {totals.records, totals.bytes, totals.checksum}; }

}  // namespace sortie
