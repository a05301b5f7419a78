// Reads the windows of a merge one after another. Every block is read and decoded once: what reaches
// beyond the window's end is carried over to the next one.
//
//   arena of window w   | run 0: rest of w-1, blocks | run 1: rest, blocks | ... |
//                        '--- range ---''-- rest --'
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "observe/observer.hpp"
#include "pipeline/window_plan.hpp"
#include "record/record_order.hpp"
#include "run/run.hpp"

namespace sortie {

/// A range of every run, in run order.
struct Window {
  std::vector<std::span<const std::byte>> ranges;
  std::uint64_t bytes = 0;
};

class WindowLoader {
 public:
  /// First keys must be resolved (resolve_cut_keys), bounds in order. `arena_count` >= 2 arenas are used in
  /// turn: a window stays valid until `arena_count` - 1 more have been loaded. An arena grows beyond `arena_bytes` only
  /// for records longer than a block.
  WindowLoader(const RecordOrder& order, std::span<const Run> runs, std::size_t arena_count, std::uint64_t arena_bytes,
               Observer& observer);

  /// The next window: everything before `bound`, or all that is left. Blocks are released once read.
  Window load(std::optional<WindowBound> bound);

 private:
  struct Cursor {
    std::size_t next_block = 0;
    std::span<const std::byte> rest;  // decoded, in the arena of the window before
  };

  std::vector<std::size_t> blocks_needed(const std::optional<WindowBound>& bound) const;
  std::vector<std::span<std::byte>> fill_arena(const std::vector<std::size_t>& block_ends);
  std::span<std::byte> next_arena(std::uint64_t bytes);

  const RecordOrder& order_;
  std::span<const Run> runs_;
  Observer& observer_;
  std::vector<MemoryRegion> arenas_;
  std::size_t next_arena_ = 0;
  std::vector<Cursor> cursors_;
};

}  // namespace sortie
