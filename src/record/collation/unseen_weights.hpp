// What strcoll() does not see. Some scripts, digits and signs among them, are compared backward on the second level: a
// run of their elements counts from its end. strcoll() of the GNU C library passes over some elements of such runs, and
// strxfrm() does not: "1 a" and " 1a" differ for the one on the second level, for the other on the last. GNU sort
// compares by strcoll(), so collation keys made from strxfrm() must lack these weights too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sortie {

/// Finds the weights of one text's second level that strcoll() passes over: of a run of backward elements those before
/// its last, one if a forward element follows the run, and as many as forward elements without a weight stand before
/// it, but for one that follows another run.
class UnseenWeights {
 public:
  /// The next element of the text, and how many weights it has on the second level.
  void add(bool backward, std::size_t weights);

  /// Behind the last element: `second`, the level as strxfrm() writes it, without what is not seen; nothing is taken
  /// from it if it holds other weights than were added.
  std::string seen(std::string_view second);

 private:
  struct Range {
    std::size_t begin;
    std::size_t count;
  };

  void end_run(std::size_t followers);

  std::vector<Range> ranges_;     // of weights, by their places in the level
  std::vector<std::size_t> run_;  // the weights of each of its elements
  std::size_t weightless_ = 0;    // forward elements before the run
  std::size_t total_ = 0;         // weights
};

}  // namespace sortie
