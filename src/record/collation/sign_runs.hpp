// Writes the last level of a collation key: runs of weights that the levels before foretell, and what breaks them. That
// is mostly signs, which have no weight before the last level. Order is kept as by ForetoldRuns, but the signs next to
// the blank take no byte of their own behind a short run, nor does the blank behind any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/collation/weight_code.hpp"

namespace sortie {

class SignRuns {
 public:
  SignRuns() = default;

  /// `signs`: weights that have bytes of their own in `code`. `blank`: one of them, or another weight if it is no sign.
  SignRuns(const WeightCode& code, std::vector<Weight> signs, Weight blank);

  /// `run` weights are as foretold, then comes a lesser one with the byte `sign` in `code`. Returns where the next
  /// bytes go: the weight itself, if `sign` is the byte of a gap. One byte more may be overwritten.
  char* put_sign(std::size_t run, std::uint8_t sign, char* out) const {
    out = put_whole_runs(run, out);
    const SignBytes& bytes = signs_[run][sign];
    out[0] = static_cast<char>(bytes.first);
    out[1] = static_cast<char>(bytes.second);
    return out + bytes.count;
  }

  /// `run` weights are as foretold, then the level ends.
  char* put_end(std::size_t run, char* out) const { return put_turn(ends_, run, out); }

  /// `run` weights are as foretold, then comes a greater one, which is written behind.
  char* put_greater(std::size_t run, char* out) const { return put_turn(greater_, run, out); }

  /// `run` weights are as foretold, then comes one that is not in the next place, which is written behind.
  char* put_farther(std::size_t run, char* out) const { return put_turn(farther_, run, out); }

 private:
  static constexpr std::size_t kMostRuns = 64;
  using TurnBytes = std::array<std::uint8_t, kMostRuns>;

  struct SignBytes {
    std::uint8_t first;
    std::uint8_t second;  // if count is 2
    std::uint8_t count;
  };

  unsigned assign_lesser(std::size_t run, unsigned rank, std::uint8_t first_sign, std::size_t sign_count);

  char* put_whole_runs(std::size_t& run, char* out) const {
    for (; run >= run_count_; run -= run_count_) {
      *out++ = static_cast<char>(goes_on_);
    }
    return out;
  }
  char* put_turn(const TurnBytes& turns, std::size_t run, char* out) const {
    out = put_whole_runs(run, out);
    *out++ = static_cast<char>(turns[run]);
    return out;
  }

  std::size_t run_count_ = 0;
  std::uint8_t goes_on_ = 0;
  TurnBytes ends_{};
  TurnBytes greater_{};
  TurnBytes farther_{};
  std::array<std::array<SignBytes, 256>, kMostRuns> signs_{};
};

}  // namespace sortie
