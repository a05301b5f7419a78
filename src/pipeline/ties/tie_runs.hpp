// Tied lines that do not fit in memory: as many as fit are put in order at a time and written to scratch space, and all
// are merged by comparison when the last has come. TieStage fills it with the lines of one tie and empties it.
//
//   scratch file   | run | run | run | ... |        so many runs of a size are merged into one
//
// As long as all lines have the same texts, for example if they are copies of one line, they form one run, which is in
// order already.
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

namespace sortie {

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

}  // namespace sortie
