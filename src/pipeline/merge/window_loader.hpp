// Reads the windows of a merge one after another. Every block is read and decoded once: what reaches beyond the
// window's end is carried over to the next one. A run in RAM or in a mapped scratch file is not read at all: its ranges
// are merged in place. Used by merge_runs().
//
//   arena of window w   | run 0: rest of w-1, blocks | run 1: rest, blocks | ... |
//                        '--- range ---''-- rest --'
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "observe/observer.hpp"
#include "pipeline/merge/window_pipeline.hpp"
#include "pipeline/plan/window_plan.hpp"
#include "record/record_order.hpp"
#include "run/run.hpp"

namespace sortie {

class WindowLoader {
 public:
  /// First keys must be resolved (resolve_truncated_keys), and bounds must be in order. `arena_count` >= 2 arenas are
  /// used in turn: a window stays valid while the next `arena_count` - 1 are loaded. An arena grows beyond
  /// `arena_bytes` only for records longer than a block; a window in such an arena stays valid until the next one is
  /// loaded. With `pin`, arenas are pinned when they are first used.
  WindowLoader(const RecordOrder& order, std::span<const Run> runs, std::size_t arena_count, std::uint64_t arena_bytes,
               MemoryPinner pin, Observer& observer);

  /// The next window: everything before `bound`, or all that is left. Blocks that were read are released, a stretch
  /// at a time.
  Window load(std::optional<WindowBound> bound);

  /// Starts reading what the next load(bound) will read.
  void read_ahead(const std::optional<WindowBound>& bound) const;

  /// Throws Error if a run that is merged in place could not be read: a merged window may then be wrong. Thread-safe,
  /// also while windows are loaded.
  void check_runs() const;

  /// Releases the window's part of runs in RAM; load() releases that of run files. Thread-safe, also while windows are
  /// loaded.
  void release(const Window& window) const noexcept;

 private:
  struct Cursor {
    std::size_t next_block = 0;
    std::span<const std::byte> rest;           // decoded; in the arena of the window before, or in the run
    std::deque<const std::byte*> window_ends;  // where the valid windows end
    std::uint64_t released_to = 0;             // offset in the file, of a run that is merged in place
    std::size_t released_blocks = 0;           // of a run that is read
  };
  struct Arena {
    MemoryRegion memory;
    std::unique_ptr<MemoryPin> pin;
  };

  std::vector<std::size_t> blocks_needed(const std::optional<WindowBound>& bound) const;
  /// For every run, its rest and the blocks up to the given end.
  std::vector<std::span<const std::byte>> gather_ranges(const std::vector<std::size_t>& block_ends);
  std::vector<std::span<const std::byte>> fill_arena(const std::vector<std::size_t>& block_ends,
                                                     const std::vector<std::uint64_t>& sizes);
  std::span<const std::byte> within_slice(std::size_t run, std::span<const std::byte> bytes,
                                          std::size_t block_end) const;
  void check_slice(std::size_t run, std::span<const std::byte> bytes, std::size_t block_end) const;
  void release_files();
  void release_read(std::size_t run);
  void check_in_place(const std::vector<std::size_t>& block_ends) const;
  std::span<std::byte> next_arena(std::uint64_t bytes);
  void give_back_arena_before();

  const RecordOrder& order_;
  std::span<const Run> runs_;
  std::vector<std::span<const std::byte>> in_place_;  // the records of each run; empty: they must be read
  MemoryPinner pin_;
  Observer& observer_;
  std::uint64_t arena_bytes_;
  std::vector<Arena> arenas_;
  std::size_t next_arena_ = 0;
  bool is_long_ = false;  // the window that was loaded last
  std::vector<Cursor> cursors_;
};

}  // namespace sortie
