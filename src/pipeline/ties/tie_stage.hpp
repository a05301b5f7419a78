// Finds ties among encoded lines on their way to the output, has them put in order, and passes the lines on; their
// bytes order them from then on. Used in front of a finisher.
//
//   part   | lines in order, ties put in order in place (all threads) | last tie |
//                                                          waits for the next part: it may continue there
//
// A tie that grows beyond its share of memory goes to scratch space: as many lines as fit are put in order at a time
// and written there, and all are merged by comparison when the last has come.
//
//   scratch file   | run | run | run | ... |        so many runs of a size are merged into one
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "pipeline/ties/tie_order.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// The lines of one tie that do not fit in memory. As long as all lines have the same texts, for example if they are
/// copies of one line, they form one run, which is in order already.
class TieRuns {
 public:
  using Consumer = std::function<void(std::span<std::byte> lines)>;

  /// Both must outlive this.
  TieRuns(const TieOrder& order, ScratchSpace& scratch) : order_(order), scratch_(scratch) {}

  bool empty() const { return runs_.empty(); }

  /// Takes the next lines of the tie. Changes them.
  void add(std::span<std::byte> lines);

  /// Passes all lines on, in order and with their ranks, and forgets them.
  void drain(const Consumer& consumer);

 private:
  struct Run {
    std::uint64_t begin;  // offset in the file
    std::uint64_t bytes;
    unsigned generation;  // how many levels of merging made it
  };
  class Reader;

  void deliver_all(const Consumer& consumer);
  void deliver_merged(const Consumer& consumer);
  void merge_last(std::size_t count);
  void merge(std::span<const Run> runs, const std::function<void(std::span<std::byte> line)>& take) const;
  void append(std::span<const std::byte> bytes);

  const TieOrder& order_;
  ScratchSpace& scratch_;
  std::unique_ptr<File> file_;
  std::uint64_t file_bytes_ = 0;
  std::vector<Run> runs_;
  std::vector<std::byte> first_;  // the first line that was added
  bool are_alike_ = true;         // all lines have the texts of the first
};

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
