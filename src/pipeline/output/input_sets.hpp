// Inputs as sets of keys: which of them a group of records with equal keys comes from, and whether a set operation
// shows it. Asked by the finisher of groups.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sortie/options.hpp>

#include "pipeline/input/input_positions.hpp"

namespace sortie {

/// The inputs of the records of a group. They are added in the order of their places, so that an input's stand
/// together.
struct GroupInputs {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  void add(std::uint64_t input) { append({1, input, input}); }
  void append(const GroupInputs& next) {
    if (count == 0) {
      *this = next;
    } else if (next.count > 0) {
      count += next.count - (next.first == last ? 1 : 0);
      last = next.last;
    }
  }
};

class InputSets {
 public:
  InputSets(SetOperation operation, std::size_t inputs) : operation_(operation), inputs_(inputs), positions_(inputs) {}

  std::uint64_t input_of(std::uint64_t position) const { return positions_.input_of(position); }

  /// Whether a key that records of these inputs have is shown.
  bool shows(const GroupInputs& inputs) const {
    switch (operation_) {
      case SetOperation::kIntersect:
        return inputs.count == inputs_;
      case SetOperation::kExcept:
        return inputs.count == 1 && inputs.first == 0;
      case SetOperation::kSymmetric:
        return inputs.count == 1;
      default:
        return true;
    }
  }

 private:
  SetOperation operation_;
  std::size_t inputs_;
  InputPositions positions_;
};

}  // namespace sortie
