// Turns descents into groups. A search finds the ends of the group around each descent; the first descent to claim a
// group speaks for all others in it. Groups that one block sorts at once are kept at the front of the list, longer
// ones at its back. See radix_repair.cuh.
#pragma once

#include <cstdint>

#include "kernels/radix/radix_repair.cuh"

namespace sortie::kernels {

/// Threads per block of the kernel that resolves descents, one descent per thread.
inline constexpr unsigned kResolveThreads = 256;

/// Groups longer than this are split before they are sorted (radix_group_split.cuh).
inline constexpr unsigned kBlockGroup = 256;

/// The number of items after the one at `at`, in the direction of `step` (1 or -1), that are in its group. Searches by
/// steps that double, then by bisection: groups are contiguous.
template <class Key, class Codec>
__device__ std::uint64_t group_reach(const CodedKeys<Key, Codec>& keys, std::uint64_t count, std::uint64_t at, int step,
                                     const GroupOrder<Key>& order) {
  const std::uint64_t room = step > 0 ? count - 1 - at : at;
  const Key key = keys[at];
  const auto inside_at = [&](std::uint64_t distance) {
    return order.same_group(key, keys[step > 0 ? at + distance : at - distance]);
  };
  std::uint64_t inside = 0;
  std::uint64_t outside = 1;
  while (outside <= room && inside_at(outside)) {
    inside = outside;
    outside *= 2;
  }
  if (outside > room) outside = room + 1;
  while (outside - inside > 1) {
    const std::uint64_t middle = inside + (outside - inside) / 2;
    (inside_at(middle) ? inside : outside) = middle;
  }
  return inside;
}

/// Slots that are probed for one group. In a table that is half empty, clusters grow that long only if the groups'
/// positions were chosen to cause it. Probing such clusters to their ends would take time quadratic in the groups.
inline constexpr unsigned kMostClaimProbes = 256;

enum class GroupClaim { kFirst, kClaimedBefore, kNoSlot };

/// Claims the group that begins at `begin`. If there is a slot for it, exactly one of its calls returns kFirst.
/// `claims` is a hash table of `slots`, a power of two and more than there are groups; zero at first.
__device__ inline GroupClaim claim_group(std::uint64_t begin, unsigned long long* claims, std::uint64_t slots) {
  const unsigned long long mark = begin + 1;
  std::uint64_t slot = scattered(mark) & (slots - 1);
  for (unsigned probe = 0; probe < kMostClaimProbes; ++probe, slot = (slot + 1) & (slots - 1)) {
    const unsigned long long before = atomicCAS(&claims[slot], 0ULL, mark);
    if (before == 0) return GroupClaim::kFirst;
    if (before == mark) return GroupClaim::kClaimedBefore;
  }
  return GroupClaim::kNoSlot;
}

template <class Key, class Codec>
__global__ void __launch_bounds__(kResolveThreads)
    radix_resolve_kernel(const Key* primary, const Key* alternate, std::uint64_t count, SampleVerdict verdict,
                         Codec codec, RadixGroups groups, RadixPlan* plan) {
  const std::uint32_t finding_count = plan->finding_count;
  if (finding_count == 0 || finding_count > groups.capacity) return;
  const CodedKeys<Key, Codec> keys{in_alternate(*plan) ? alternate : primary, codec};
  const GroupOrder<Key> order(verdict, *plan);
  for (std::uint32_t f = blockIdx.x * kResolveThreads + threadIdx.x; f < finding_count;
       f += gridDim.x * kResolveThreads) {
    const std::uint64_t at = groups.findings[f];
    const std::uint64_t begin = at - group_reach(keys, count, at, -1, order);
    const GroupClaim claim = claim_group(begin, groups.claims, groups.claim_slots);
    if (claim == GroupClaim::kNoSlot) plan->failed = 1;
    if (claim != GroupClaim::kFirst) continue;
    const std::uint64_t end = at + group_reach(keys, count, at, 1, order) + 1;
    if (end - begin > kLongestGroup) {
      plan->failed = 1;
    } else if (end - begin > kBlockGroup) {
      *groups.long_group(atomicAdd(&plan->long_group_count, 1u)) = {begin, end};
    } else {
      groups.list[atomicAdd(&plan->group_count, 1u)] = {begin, end};
    }
  }
}

/// The items of a group in the arrays that hold them, and the same positions in the other arrays.
template <class Key, class Value>
struct GroupArrays {
  RadixArrays<Key, Value> from;
  RadixArrays<Key, Value> to;

  __device__ void swap() {
    const RadixArrays<Key, Value> was = from;
    from = to;
    to = was;
  }
};

template <class Key, class Value>
__device__ GroupArrays<Key, Value> group_arrays(const RadixArrays<Key, Value>& arrays, RadixGroup group,
                                                bool alternate) {
  GroupArrays<Key, Value> items{
      {arrays.keys + group.begin, nullptr, arrays.values + group.begin, nullptr},
      {arrays.alternate_keys + group.begin, nullptr, arrays.alternate_values + group.begin, nullptr}};
  if (alternate) items.swap();
  return items;
}

}  // namespace sortie::kernels
