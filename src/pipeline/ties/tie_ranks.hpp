// Fills in the ranks of decorated lines that come in their order already, as a merge of inputs gives them: line by
// line, nothing waits. Where the inputs were not in order, the ranks say that much: lines keep their places.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pipeline/ties/tie_order.hpp"

namespace sortie {

class TieRanks {
 public:
  /// `decorator`: of the lines; it collates, and must outlive this.
  explicit TieRanks(const LineDecorator& decorator) : order_(decorator) {}

  /// Takes consecutive parts, whole lines, and fills in their ranks.
  void fill_in(std::span<std::byte> part);

 private:
  TieOrder order_;
  std::vector<std::byte> last_;  // line of the part before
};

}  // namespace sortie
