#include "pipeline/window_plan.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "run/run_writer.hpp"

namespace sortie {
namespace {

std::vector<WindowBound> all_blocks_in_order(const KeyPlan& plan, std::span<const Run> runs) {
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

}  // namespace

int compare_first_keys(const KeyPlan& plan, const BlockInfo& a, const BlockInfo& b) {
  const std::size_t common = std::min(a.first_key.size(), b.first_key.size());
  const int order = common == 0 ? 0 : std::memcmp(a.first_key.data(), b.first_key.data(), common);
  if (order != 0) return order;
  // A cut key is longer than what is left of it.
  const auto length_rank = [](const BlockInfo& info) { return 2 * info.first_key.size() + (info.key_is_cut ? 1 : 0); };
  const std::size_t a_rank = length_rank(a);
  const std::size_t b_rank = length_rank(b);
  if (a_rank == b_rank) return 0;
  return (a_rank < b_rank) != plan.descending_line ? -1 : 1;
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
  for (const WindowBound& candidate : all_blocks_in_order(plan, runs)) {
    const std::uint64_t block_bytes = runs[candidate.run].blocks[candidate.block].record_bytes;
    if (bytes > 0 && bytes + block_bytes > window_bytes) {
      bounds.push_back(candidate);
      bytes = 0;
    }
    bytes += block_bytes;
  }
  return bounds;
}

void resolve_cut_keys(const RecordOrder& order, std::span<Run> runs) {
  std::vector<WindowBound> blocks = all_blocks_in_order(order.plan(), runs);
  const auto info = [&](const WindowBound& place) -> BlockInfo& { return runs[place.run].blocks[place.block]; };
  std::vector<WindowBound> ties;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!info(blocks[i]).key_is_cut) continue;
    const bool tied_before = i > 0 && compare_first_keys(order.plan(), info(blocks[i - 1]), info(blocks[i])) == 0;
    const bool tied_after =
        i + 1 < blocks.size() && compare_first_keys(order.plan(), info(blocks[i]), info(blocks[i + 1])) == 0;
    if (tied_before || tied_after) ties.push_back(blocks[i]);
  }
  tbb::parallel_for(std::size_t{0}, ties.size(), [&](std::size_t i) {
    BlockInfo& block = info(ties[i]);
    std::vector<std::byte> records(block.record_bytes);
    read_block(runs[ties[i].run], ties[i].block, records);
    const std::uint64_t stored = stored_length(order.layout(), records.data(), records.data() + records.size());
    block.first_key = order.normalised_key({records.data(), static_cast<std::size_t>(stored)},
                                           std::numeric_limits<std::size_t>::max());
    block.key_is_cut = false;
  });
}

}  // namespace sortie
