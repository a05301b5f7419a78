#include "pipeline/join/join_setup.hpp"

#include <algorithm>

#include "pipeline/join/join_check.hpp"

namespace sortie {

JoinShares share_for_join(std::uint64_t memory_bytes, unsigned threads, std::optional<std::uint64_t> left_bytes,
                          std::optional<std::uint64_t> right_bytes) {
  constexpr std::uint64_t kGroupShare = 8;
  constexpr std::uint64_t kHandOverShare = 32;
  constexpr std::uint64_t kLeastHandOverBytes = 64 << 10;
  constexpr std::uint64_t kMostHandOverBytes = 4 << 20;
  const bool known = left_bytes && right_bytes && *left_bytes + *right_bytes > 0;
  const double left = known ? static_cast<double>(*left_bytes) / static_cast<double>(*left_bytes + *right_bytes) : 0.5;
  const double share = std::clamp(left, 0.125, 0.875);
  JoinShares shares;
  shares.group_bytes = static_cast<std::size_t>(memory_bytes / kGroupShare);
  shares.hand_over_bytes =
      static_cast<std::size_t>(std::clamp(memory_bytes / kHandOverShare, kLeastHandOverBytes, kMostHandOverBytes));
  const std::uint64_t own_bytes = shares.group_bytes + 2 * shares.hand_over_bytes;
  const auto rest = static_cast<double>(memory_bytes - std::min(memory_bytes, own_bytes));
  shares.left_memory_bytes = std::max(kMinMemoryBytes, static_cast<std::uint64_t>(share * rest));
  shares.right_memory_bytes = std::max(kMinMemoryBytes, static_cast<std::uint64_t>((1 - share) * rest));
  if (threads > 1) {
    const auto half_threads = static_cast<unsigned>(2 * share * threads);
    shares.left_threads = std::clamp((half_threads + 1) / 2, 1U, threads - 1);
    shares.right_threads = threads - shares.left_threads;
  }
  return shares;
}

JoinSetup set_up_join(const JoinOptions& wanted) {
  JoinOptions options = wanted;
  options.sort = with_warnings_once(with_order_settled(options.sort));  // both sides have the same
  const SortOptions& sort = options.sort;
  JoinSetup setup{{}, {}, {}, left_sort(options), right_sort(options)};
  setup.whole.options = sort;
  setup.whole.input_format = sort.format;
  setup.whole.threads = thread_count(sort);
  setup.budget = memory_budget(setup.whole, file_bytes(sort.inputs));
  setup.shares = share_for_join(setup.budget.memory_bytes, setup.whole.threads, file_bytes({sort.inputs[0]}),
                                file_bytes({sort.inputs[1]}));
  setup.left.memory_bytes = setup.shares.left_memory_bytes;
  setup.left.threads = setup.shares.left_threads;
  setup.right.memory_bytes = setup.shares.right_memory_bytes;
  setup.right.threads = setup.shares.right_threads;
  return setup;
}

}  // namespace sortie
