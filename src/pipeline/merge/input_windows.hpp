// The windows of a merge of inputs, whose ends nobody knows beforehand: of every input a piece is read, and what comes
// before all that is still to be read is a window.
//
//   input 0   | a  c  e  g |...      g, the least of the last records, ends the window
//   input 1   | b  d  k |...         k waits for the next one
//
// An input that is not in order is merged as it stands: each of its records comes when those in front of it are out,
// and no sooner than its key says.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "pipeline/merge/merge_input.hpp"
#include "pipeline/merge/window_pipeline.hpp"

namespace sortie {

class InputWindows final : public WindowSource {
 public:
  /// All references must outlive this.
  InputWindows(const ExactOrder& order, std::deque<MergeInput>& inputs) : order_(order), inputs_(inputs) {}

  std::optional<Window> next() override;
  void release(const Window&) noexcept override {}  // buffers know when they are free

 private:
  std::optional<std::size_t> bounding_input() const;

  const ExactOrder& order_;
  std::deque<MergeInput>& inputs_;
  std::uint64_t number_ = 0;  // of the next window
};

}  // namespace sortie
