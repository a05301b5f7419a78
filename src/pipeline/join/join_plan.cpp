#include "pipeline/join/join_plan.hpp"

#include <algorithm>

#include "pipeline/join/join_check.hpp"

namespace sortie {

JoinLimits share_for_join(std::uint64_t memory_bytes, unsigned threads, std::optional<std::uint64_t> left_bytes,
                          std::optional<std::uint64_t> right_bytes) {
  constexpr std::uint64_t kGroupShare = 8;
  constexpr std::uint64_t kQueueShare = 32;
  constexpr std::uint64_t kLeastQueueBytes = 64 << 10;
  constexpr std::uint64_t kMostQueueBytes = 4 << 20;
  const bool known = left_bytes && right_bytes && *left_bytes + *right_bytes > 0;
  const double left = known ? static_cast<double>(*left_bytes) / static_cast<double>(*left_bytes + *right_bytes) : 0.5;
  const double share = std::clamp(left, 0.125, 0.875);
  JoinLimits limits;
  limits.group_bytes = static_cast<std::size_t>(memory_bytes / kGroupShare);
  limits.queue_bytes =
      static_cast<std::size_t>(std::clamp(memory_bytes / kQueueShare, kLeastQueueBytes, kMostQueueBytes));
  const std::uint64_t own_bytes = limits.group_bytes + 2 * limits.queue_bytes;
  const auto rest = static_cast<double>(memory_bytes - std::min(memory_bytes, own_bytes));
  limits.left_memory_bytes = std::max(kMinMemoryBytes, static_cast<std::uint64_t>(share * rest));
  limits.right_memory_bytes = std::max(kMinMemoryBytes, static_cast<std::uint64_t>((1 - share) * rest));
  if (threads > 1) {
    const auto half_threads = static_cast<unsigned>(2 * share * threads);
    limits.left_threads = std::clamp((half_threads + 1) / 2, 1U, threads - 1);
    limits.right_threads = threads - limits.left_threads;
  }
  return limits;
}

JoinPlan plan_join(const JoinOptions& wanted) {
  JoinOptions options = wanted;
  options.sort = with_warnings_once(with_order_settled(options.sort));  // both sides have the same
  const SortOptions& sort = options.sort;
  JoinPlan join_plan{{}, {}, {}, left_sort(options), right_sort(options)};
  join_plan.whole.options = sort;
  join_plan.whole.input_format = sort.format;
  join_plan.whole.threads = thread_count(sort);
  join_plan.budget = memory_budget(join_plan.whole, file_bytes(sort.inputs));
  join_plan.limits = share_for_join(join_plan.budget.memory_bytes, join_plan.whole.threads,
                                    file_bytes({sort.inputs[0]}), file_bytes({sort.inputs[1]}));
  join_plan.left.memory_bytes = join_plan.limits.left_memory_bytes;
  join_plan.left.threads = join_plan.limits.left_threads;
  join_plan.right.memory_bytes = join_plan.limits.right_memory_bytes;
  join_plan.right.threads = join_plan.limits.right_threads;
  return join_plan;
}

}  // namespace sortie
