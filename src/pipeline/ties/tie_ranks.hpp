// Fills in the ranks of decorated lines that come in order already, as a merge of inputs gives them: line by line, and
// none has to wait. If the inputs were not sorted, the lines keep their places, and the ranks say only that. Used in
// front of a finisher.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pipeline/ties/tie_order.hpp"

namespace sortie {

class TieRanks {
 public:
  /// `decorator` made the lines. It must collate and outlive this.
  explicit TieRanks(const LineDecorator& decorator) : order_(decorator) {}

  /// Takes consecutive parts, whole lines, and fills in their ranks.
  void fill_in(std::span<std::byte> part);

 private:
  TieOrder order_;
  std::vector<std::byte> last_;  // last line of the part before
};

}  // namespace sortie
