// Finds ties among encoded lines on their way to the output, has them put in order, and passes the lines on; their
// bytes order them from then on. Used in front of a finisher.
//
//   part   | lines in order, ties put in order in place (all threads) | last tie |
//                                                          waits for the next part: it may continue there
//
// A tie that grows beyond its share of memory goes to scratch space.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "io/files/scratch.hpp"
#include "pipeline/ties/tie_order.hpp"
#include "pipeline/ties/tie_runs.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

class TieStage {
 public:
  /// Takes whole lines in order. It may change them, and must not use them after the call.
  using Consumer = std::function<void(std::span<std::byte> lines)>;

  /// `codec` made the lines and must collate. `memory_bytes`: for a tie. Both references must outlive this.
  TieStage(const RecordCodec& codec, std::size_t memory_bytes, ScratchSpace& scratch);

  /// Takes consecutive parts, whole lines; changes them.
  void accept(std::span<std::byte> part, const Consumer& consumer);
  /// Passes on what waits. Call once.
  void finish(const Consumer& consumer);

 private:
  void accept_slice(std::span<std::byte> part, const Consumer& consumer);
  void order_ties(std::span<std::byte> lines) const;
  void order_ties_in_range(std::span<std::byte> range) const;
  void wait_with(std::span<const std::byte> lines);
  void spill_waiting();
  void deliver_waiting(const Consumer& consumer);

  TieOrder order_;
  std::size_t memory_bytes_;
  std::vector<std::byte> waiting_;  // tied lines
  TieRuns runs_;                    // tied lines before those
};

}  // namespace sortie
