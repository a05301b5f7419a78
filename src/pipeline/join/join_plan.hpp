// What a join refuses, and what it is asked for, with memory and threads shared out: pure but for a look at the sizes
// of the inputs. Used by the join job, by plan(), and by the functions for joins by several processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <sortie/join.hpp>

#include "pipeline/setup/sort_spec.hpp"

namespace sortie {

/// Throws Error for what contradicts itself or makes no sense in a join. Precondition: validate(options.sort).
void validate(const JoinOptions& options);

/// The same where all inputs are of one side.
void validate_side(const JoinOptions& options);

/// The sort of one input, without its share of resources: it keeps equal keys in input order, by bytes.
SortOptions left_sort(const JoinOptions& options);
SortOptions right_sort(const JoinOptions& options);

/// The options with the order of one side: for its shards and its slices.
SortOptions shard_options(const JoinOptions& options, JoinSide side);

/// How memory and threads are divided among the sorts of the inputs and the join itself.
struct JoinLimits {
  std::uint64_t left_memory_bytes = 0;
  std::uint64_t right_memory_bytes = 0;
  unsigned left_threads = 1;
  unsigned right_threads = 1;
  std::size_t queue_bytes = 0;  ///< sorted records that wait for the join, of each input
  std::size_t group_bytes = 0;  ///< right records with equal keys
};

/// As the sizes of the inputs are, or by halves if one is not known. No input gets less than 1/8, nor less memory than
/// a sort needs.
JoinLimits share_for_join(std::uint64_t memory_bytes, unsigned threads, std::optional<std::uint64_t> left_bytes,
                          std::optional<std::uint64_t> right_bytes);

struct JoinPlan {
  SortSpec whole;       ///< threads of all; its options have no keys resolved
  MemoryBudget budget;  ///< of all
  JoinLimits limits;
  SortOptions left;  ///< each with its share
  SortOptions right;
};

/// Precondition: `options` are valid.
JoinPlan plan_join(const JoinOptions& options);

/// The same for a join of slices of both sides, which hold so many bytes.
JoinPlan plan_join_of_slices(const JoinOptions& options, std::uint64_t left_bytes, std::uint64_t right_bytes);

}  // namespace sortie
