// Samples of a shard's keys: records at equal distances in the bytes of all runs. Where blocks are short against these
// distances, their first records will do, whose keys the index of a run has. Other blocks are read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <sortie/shard.hpp>

#include "pipeline/setup/sort_spec.hpp"
#include "record/record_order.hpp"
#include "run/run.hpp"

namespace sortie {

/// Whether equal keys may be divided between parts: not if records are compared with all that are equal to them, as
/// they are on a side of a join, nor if strcoll() orders what has equal keys.
bool divides_equal_keys(const SortSpec& spec);

/// The bytes of a block over which samples are spread: those of its records as they are written. Groups count as they
/// are sorted, since a state takes as long to merge as another, whatever it stands for.
std::uint64_t sampled_bytes(const SortSpec& spec, const BlockInfo& block);

/// At most `most` samples, in the order of runs and positions. Where the first of them lies depends on `position`: else
/// shards with the same keys would all show the same few of them. Reads blocks again.
std::vector<ShardSample> sample_runs(const SortSpec& spec, const RecordOrder& order, std::span<const Run> runs,
                                     std::uint64_t most, std::uint64_t position);

/// The first record of all runs; nothing if they hold none. Reads the first block of each again. Precondition: the
/// codec makes keys.
std::optional<ShardFirst> first_of_runs(const SortSpec& spec, std::span<const Run> runs);

}  // namespace sortie
