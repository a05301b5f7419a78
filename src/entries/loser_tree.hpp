// A tournament of K sorted sources that yields their elements in order (Knuth, TAOCP 3, 5.4.1): inner
// nodes remember the loser of their match, so that replacing the winner replays one path of ceil(log2 K)
// matches. Matches compare the words in the nodes; a Source is asked only on a tie.
// Used by merges of windows, and by those that ask strcoll().
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sortie {

/// Source: `bool exhausted() const`, `std::uint64_t word() const`, `void advance()`, and
/// `int compare_tail(const Source&) const` for equal words.
/// Stable: among equal elements, the source with the smaller number wins.
/// The top is the least of the sources' next elements also if a source is not in order.
template <class Source>
class LoserTree {
 public:
  /// Precondition: at least one source.
  explicit LoserTree(std::vector<Source> sources) : sources_(std::move(sources)), losers_(sources_.size()) {
    winner_ = play(1);
  }

  /// The source whose element comes next; all are exhausted if it is.
  Source& top() { return sources_[winner_.source]; }

  /// Moves the top source on and finds the new top.
  void advance() {
    top().advance();
    replay();
  }

  /// Finds the new top after the top source was moved on.
  void replay() {
    Contestant challenger = contestant(winner_.source);
    for (std::size_t node = (winner_.source + sources_.size()) / 2; node > 0; node /= 2) {
      if (beats(losers_[node], challenger)) std::swap(losers_[node], challenger);
    }
    winner_ = challenger;
  }

 private:
  struct Contestant {
    std::uint64_t word = 0;
    std::size_t source = 0;
  };

  Contestant contestant(std::size_t source) const {
    return {sources_[source].exhausted() ? ~std::uint64_t{0} : sources_[source].word(), source};
  }

  // The winner of the subtree; leaves are nodes K .. 2K - 1.
  Contestant play(std::size_t node) {
    if (node >= sources_.size()) return contestant(node - sources_.size());
    Contestant left = play(2 * node);
    Contestant right = play(2 * node + 1);
    if (beats(right, left)) std::swap(left, right);
    losers_[node] = right;
    return left;
  }

  bool beats(const Contestant& a, const Contestant& b) const {
    if (a.word != b.word) return a.word < b.word;
    return beats_on_tie(a.source, b.source);
  }

  bool beats_on_tie(std::size_t a, std::size_t b) const {
    if (sources_[a].exhausted() || sources_[b].exhausted()) return sources_[b].exhausted() && !sources_[a].exhausted();
    const int tail = sources_[a].compare_tail(sources_[b]);
    return tail != 0 ? tail < 0 : a < b;
  }

  std::vector<Source> sources_;
  std::vector<Contestant> losers_;
  Contestant winner_;
};

}  // namespace sortie
