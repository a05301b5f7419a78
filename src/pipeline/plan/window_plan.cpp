#include "pipeline/plan/window_plan.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/size.hpp"

namespace sortie {

int compare_first_keys(const KeyPlan& plan, const BlockInfo& a, const BlockInfo& b) {
  const std::size_t common = std::min(a.first_key.size(), b.first_key.size());
  const int order = common == 0 ? 0 : std::memcmp(a.first_key.data(), b.first_key.data(), common);
  if (order != 0) return order;
  // A cut key is longer than the part of it that is kept.
  const auto length_rank = [](const BlockInfo& info) { return 2 * info.first_key.size() + (info.key_is_cut ? 1 : 0); };
  const std::size_t a_rank = length_rank(a);
  const std::size_t b_rank = length_rank(b);
  if (a_rank == b_rank) return 0;
  return (a_rank < b_rank) != plan.descending_line ? -1 : 1;
}

std::vector<WindowBound> blocks_in_order(const KeyPlan& plan, std::span<const Run> runs) {
  std::vector<WindowBound> blocks;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (std::size_t block = 0; block < runs[run].blocks.size(); ++block) blocks.push_back({run, block});
  }
  std::sort(blocks.begin(), blocks.end(), [&](const WindowBound& a, const WindowBound& b) {
    const int order = compare_first_keys(plan, runs[a.run].blocks[a.block], runs[b.run].blocks[b.block]);
    if (order != 0) return order < 0;
    return a.run != b.run ? a.run < b.run : a.block < b.block;
  });
  return blocks;
}

std::vector<std::uint64_t> largest_blocks(std::span<const Run> runs) {
  std::vector<std::uint64_t> largest;
  for (const Run& run : runs) {
    std::uint64_t bytes = 0;
    for (const BlockInfo& block : run.blocks) bytes = std::max(bytes, block.record_bytes);
    largest.push_back(bytes);
  }
  return largest;
}

std::vector<WindowBound> plan_windows(const KeyPlan& plan, std::span<const Run> runs, std::uint64_t window_bytes) {
  std::vector<WindowBound> bounds;
  std::uint64_t bytes = 0;
  for (const WindowBound& candidate : blocks_in_order(plan, runs)) {
    const std::uint64_t block_bytes = runs[candidate.run].blocks[candidate.block].record_bytes;
    // The first key of a slice's first block may be less than that of the slice.
    const bool may_bound = bytes_before(runs[candidate.run], candidate.block) == 0;
    if (bytes > 0 && bytes + block_bytes > window_bytes && may_bound) {
      bounds.push_back(candidate);
      bytes = 0;
    }
    bytes += block_bytes;
  }
  return bounds;
}

std::vector<MergeGroup> plan_merge_pass(std::size_t run_count, std::size_t fan_in) {
  const std::size_t fewest = divide_up(run_count, fan_in);  // fewest runs that one pass can leave
  std::size_t to_remove = run_count - std::max(fan_in, fewest);
  std::vector<MergeGroup> groups;
  for (std::size_t begin = 0; to_remove > 0;) {
    const std::size_t size = std::min({fan_in, to_remove + 1, run_count - begin});
    groups.push_back({begin, begin + size});
    to_remove -= size - 1;
    begin += size;
  }
  return groups;
}

std::vector<MergeGroup> plan_pass_of_inputs(std::span<const std::uint64_t> input_bytes, std::uint64_t most_bytes,
                                            std::size_t fan_in) {
  std::uint64_t bytes_left = std::accumulate(input_bytes.begin(), input_bytes.end(), std::uint64_t{0});
  const auto is_one = [&](std::size_t begin) {
    return std::ranges::count_if(input_bytes.subspan(begin), [](std::uint64_t bytes) { return bytes > 0; }) <= 1;
  };
  std::vector<MergeGroup> groups;
  for (std::size_t begin = 0; bytes_left > most_bytes && !is_one(begin);) {
    std::size_t end = begin;
    std::uint64_t bytes = 0;
    while (end < input_bytes.size() && end - begin < fan_in &&
           (end == begin || bytes + input_bytes[end] <= most_bytes)) {
      bytes += input_bytes[end++];
    }
    groups.push_back({begin, end});
    bytes_left -= bytes;
    begin = end;
  }
  return groups;
}

}  // namespace sortie
