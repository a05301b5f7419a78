// The windows of a merge of inputs. Their ends are not known beforehand: a piece of every input is read, and the
// records that come before everything unread are a window.
//
//   input 0   | a  c  e  g |...      g, the least of the last records, ends the window
//   input 1   | b  d  k |...         k waits for the next one
//
// An unsorted input is merged as it is: each of its records comes out after those in front of it, and no sooner than
// its key allows. Used by InputMerge.
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
  void release(const Window&) noexcept override {}  // buffers record when they are free

 private:
  std::optional<std::size_t> bounding_input() const;

  const ExactOrder& order_;
  std::deque<MergeInput>& inputs_;
  std::uint64_t number_ = 0;  // number of the next window
};

}  // namespace sortie
