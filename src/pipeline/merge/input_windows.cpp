#include "pipeline/merge/input_windows.hpp"

namespace sortie {

std::optional<Window> InputWindows::next() {
  for (MergeInput& input : inputs_) input.read_on(number_);
  const std::optional<std::size_t> bounding = bounding_input();
  Window window;
  window.in_order = order_.is_by_bytes();
  window.ranges.reserve(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    MergeInput& input = inputs_[i];
    std::size_t bytes = input.rest().size();
    if (bounding && i != *bounding && bytes > 0) {
      const Record last = inputs_[*bounding].last_in_order();
      bytes = i < *bounding ? input.bytes_through(last) : input.bytes_before(last);
    }
    if (bytes > 0 && !input.in_order()) window.in_order = false;
    window.ranges.push_back(input.take(bytes, number_));
    window.bytes += bytes;
  }
  ++number_;
  return window.bytes == 0 ? std::nullopt : std::optional(std::move(window));
}

// The input whose last record so far comes first, among those that are not read whole; nothing if all are read whole.
std::optional<std::size_t> InputWindows::bounding_input() const {
  std::optional<std::size_t> bounding;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].is_read_whole()) continue;
    if (!bounding || order_.compare(inputs_[i].last_in_order(), inputs_[*bounding].last_in_order()) < 0) bounding = i;
  }
  return bounding;
}

}  // namespace sortie
