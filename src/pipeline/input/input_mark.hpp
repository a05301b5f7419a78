// How far the inputs have been read, which is where a continued sort goes on, and what was assumed of the records in
// front. The record reader gives it, the manifest of a checkpoint stores it.
#pragma once

#include <cstdint>

#include "observe/assumptions.hpp"
#include "record/record_totals.hpp"

namespace sortie {

struct InputMark {
  std::uint64_t input = 0;            ///< index of the input; the number of inputs if all have been read
  std::uint64_t offset = 0;           ///< first byte not taken, in the unpacked input without its header
  RecordTotals totals;                ///< all records before that position, with last lines completed
  Assumptions::Counted assumed = {};  ///< of these, where guesses are counted

  friend bool operator==(const InputMark&, const InputMark&) = default;
};

}  // namespace sortie
