// A source of records in a merge of inputs, which has many of them at once: each says how much memory it holds. Served
// by PresortedInput and RunReader.
#pragma once

#include <cstdint>

#include "pipeline/input/piece_source.hpp"

namespace sortie {

class MergeSource : public PieceSource {
 public:
  /// Memory that records take in the source.
  virtual std::uint64_t held_bytes() const = 0;
  /// Gives back memory that no record is in: the next ones may be short again.
  virtual void give_back() = 0;
};

}  // namespace sortie
