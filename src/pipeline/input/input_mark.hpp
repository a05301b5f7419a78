// How far the inputs have been read: where a sort that is continued goes on. Told by the record reader, kept in the
// manifest of a checkpoint.
#pragma once

#include <cstdint>

#include "record/record_totals.hpp"

namespace sortie {

struct InputMark {
  std::uint64_t input = 0;   ///< which of the inputs, from 0; as many as there are: all have been read
  std::uint64_t offset = 0;  ///< in it, of the first byte that has not been taken; without header, unpacked
  RecordTotals totals;       ///< of all records up to there, last lines completed

  friend bool operator==(const InputMark&, const InputMark&) = default;
};

}  // namespace sortie
