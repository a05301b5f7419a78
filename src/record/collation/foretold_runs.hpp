// Writes a level whose weights can mostly be foretold: how many in turn were, and in which way the next was not. Order
// is kept: texts that agree so far foretell the same weight, so the longer run is the greater one if a lesser weight or
// the end breaks it, and the lesser one if a greater weight does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "record/key_bytes.hpp"

namespace sortie {

/// What breaks a run, ascending: the level's end, three kinds of lesser weights, three kinds of greater ones.
enum class Turn : std::uint8_t { kEnd, kBelow, kBelow2, kBelow3, kAbove, kAbove2, kAbove3 };

class ForetoldRuns {
 public:
  explicit ForetoldRuns(char* out) : next_(out) {}

  /// `run` weights are as foretold, then comes `turn`. What tells weights of one kind apart is written behind it.
  void put(std::size_t run, Turn turn) {
    for (; run >= kLongestRun; run -= kLongestRun) {
      *next_++ = static_cast<char>(key_byte(kGoesOn));
    }
    *next_++ = static_cast<char>(kBytes[static_cast<std::size_t>(turn)][run]);
  }

  /// Where the next bytes go; whoever writes some tells how far.
  char* next() const { return next_; }
  void set_next(char* next) { next_ = next; }

 private:
  // | lesser turns, run 0 | lesser turns, run 1 | ... | goes on | greater turns, longest run - 1 | ... | run 0 |
  static constexpr unsigned kLesserTurns = 4;
  static constexpr unsigned kGreaterTurns = 3;
  static constexpr unsigned kLongestRun = (kKeyBytes - 1) / (kLesserTurns + kGreaterTurns);
  static constexpr unsigned kGoesOn = kLesserTurns * kLongestRun;

  using Bytes = std::array<std::array<unsigned char, kLongestRun>, kLesserTurns + kGreaterTurns>;
  static constexpr Bytes make_bytes() {
    Bytes bytes{};
    for (unsigned run = 0; run < kLongestRun; ++run) {
      for (unsigned turn = 0; turn < kLesserTurns; ++turn) {
        bytes[turn][run] = key_byte(run * kLesserTurns + turn);
      }
      for (unsigned turn = 0; turn < kGreaterTurns; ++turn) {
        bytes[kLesserTurns + turn][run] = key_byte(kGoesOn + 1 + (kLongestRun - 1 - run) * kGreaterTurns + turn);
      }
    }
    return bytes;
  }
  static const Bytes kBytes;

  char* next_;
};

inline constexpr ForetoldRuns::Bytes ForetoldRuns::kBytes = ForetoldRuns::make_bytes();

}  // namespace sortie
