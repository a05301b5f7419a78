// A guess that a job made, and where. Assumptions collects them, assumption_words.hpp has words for them.
#pragma once

#include <cstdint>
#include <string>

#include "base/guess_counts.hpp"

namespace sortie {

struct GuessPosition {
  std::string path = {};      ///< of an input; empty: the guess has no position
  std::uint64_t line = 0;     ///< from 1; 0: it is about the input as a whole
  std::string word = "line";  ///< what is counted: lines, or records that may have several

  friend bool operator==(const GuessPosition&, const GuessPosition&) = default;
};

struct Guess {
  GuessKind kind{};
  std::string subject = {};     ///< what it is about, for example "column 'price'"
  std::uint64_t count = 1;      ///< how often it was made
  std::string text = {};        ///< what was read in the first of these
  GuessPosition position = {};  ///< where that is

  friend bool operator==(const Guess&, const Guess&) = default;
};

}  // namespace sortie
