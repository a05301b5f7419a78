// The windows of a merge: they are loaded one after another, merged by the engines in turn, and passed on in order.
// Used by the merge of runs and by the merge of inputs.
//
//   loader       | load 0 | load 1 | load 2  | ...
//   lane 0                | merge 0|         | merge 2 | ...      one for each engine, two windows of it at a time
//   lane 1                         | merge 1 |         | ...
//   writer                         | pass on 0         | pass on 1 | ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/engine.hpp"
#include "observe/observer.hpp"
#include "pipeline/scan/key_comparison.hpp"

namespace sortie {

/// Takes merged records in order. Returns false when it has enough: the rest will not be read. It looks at records by
/// their position in a window. Its room has the position of all windows in front, as other rooms have.
using MergedConsumer = ConsumerOfParts<bool>;

/// One range of each run or input, in their order.
struct Window {
  std::vector<std::span<const std::byte>> ranges;
  std::uint64_t bytes = 0;
  bool in_order = true;  ///< every range is sorted by its bytes; else ranges are merged as they are
  bool is_long =
      false;  ///< takes more memory than planned, for long records: no other is loaded before it is passed on
};

class WindowSource {
 public:
  virtual ~WindowSource() = default;

  /// The next window; nothing at the end. With n engines it stays valid while the next n windows are loaded; a long
  /// window only until the next one is loaded.
  virtual std::optional<Window> next() = 0;

  /// Called when the window is merged, by the thread that merged it, while other windows are loaded. Throws Error if
  /// the bytes of the window were lost meanwhile.
  virtual void release(const Window& window) = 0;
};

/// Merges the windows of `windows`, which go to the mergers in turn, until there are no more or `consumer` has enough.
/// `consumer` is called on a thread of its own. Returns how many windows were loaded. Rethrows the first exception of
/// any thread.
std::uint64_t merge_windows(WindowSource& windows, const ExactOrder& order,
                            std::span<const std::unique_ptr<WindowMerger>> mergers, const MergedConsumer& consumer,
                            Observer& observer);

}  // namespace sortie
