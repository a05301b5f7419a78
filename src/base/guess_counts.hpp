// A guess is one event: for one record or input something is taken to be so because neither the input nor the options
// say it. Guesses are counted where they happen, cheaply. All guesses of one kind about one thing are one assumption,
// which is reported once, at the end (observe/assumptions.hpp).
//
// How to count a guess:
//   1. Give it a kind: an enumerator here, behind all others, since checkpoints hold their numbers, and a row in kRows
//      of observe/assumption_words.cpp, which has its word for programs, what is said, and the remedy. The command and
//      Python name their option for the remedy.
//   2. Where keys of a line are made, call out.guess(kind, subject, text) on the EncodedLines. `subject` is the
//      number of the key, or of the aggregate behind all keys; `text` is what was read. Nothing else is to be done:
//      whoever encodes lines adds the counts up, and finds the position of the first. RecordCodec::may_guess() must
//      be true.
//   3. Anywhere else (headers, inputs, packing), call observer.assumptions().add({...}) with the position, if there is
//      one.
//   4. Samples, bounds and part keys are made by codecs, too, and throw the counts away: a record counts once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sortie {

enum class GuessKind : std::uint8_t {
  kUnreadTime,   ///< a key of type time that holds none
  kUnknownZone,  ///< a key of type time whose time has a zone that is not known
  kAssumedYear,  ///< a time without a year, which nobody has told
  kAssumedZone,  ///< a time without a zone, which nobody has told; reported if others of the key have one
  /// No guess, but a time with a zone: whether kAssumedZone is reported depends on it. It is counted like a guess, and
  /// stays here, because checkpoints hold its count and its number.
  kWrittenZone,
  kUnreadNumber,    ///< a numeric key that holds no number, and counts as 0
  kCutNumber,       ///< a numeric key that goes on behind its number
  kUnreadGeneral,   ///< the same of a general number, which counts as less than all numbers
  kUnreadMonth,     ///< a key of type month that holds none
  kUnlistedName,    ///< a chromosome that the header does not list
  kMissingValue,    ///< a path that leads to no value
  kEmptyKey,        ///< a key without text; reported if all are so
  kEmptyAggregate,  ///< an aggregate of no value; reported if all are so
  kLacksColumn,     ///< a record of CSV that ends in front of the column of a key
  kQuotedField,     ///< a record of TSV with a field in quotes, where nobody has told what these mean
  kLacksHeader,     ///< an input without the header that the sort was told to look for
  kGuessedHeader,   ///< an input of CSV whose header may be the comment in front of it
  kLeftComments,    ///< an input of CSV whose comments in front of its header are others than those of the output
};

/// Guesses of one thread about some lines that lie in memory.
class GuessCounts {
 public:
  struct Count {
    GuessKind kind{};
    std::size_t subject = 0;
    std::uint64_t count = 0;
    const std::byte* line = nullptr;  ///< the first; null as long as it is not named
    std::string text = {};            ///< what was read there, cut short
  };

  /// Longer texts are cut.
  static constexpr std::size_t kMostShown = 40;

  bool empty() const { return counts_.empty(); }
  std::span<const Count> counts() const { return counts_; }
  void clear() { counts_.clear(); }

  /// Returns whether it is the first of its kind and subject, whose line must be named.
  bool add(GuessKind kind, std::size_t subject, std::string_view text) {
    for (Count& count : counts_) {
      if (count.kind != kind || count.subject != subject) continue;
      ++count.count;
      return false;
    }
    counts_.push_back({kind, subject, 1, nullptr, std::string(text.substr(0, kMostShown))});
    return true;
  }

  void name_line(const std::byte* line) {
    for (Count& count : counts_) {
      if (count.line == nullptr) count.line = line;
    }
  }

  /// Adds those of lines that follow.
  void add(const GuessCounts& behind) {
    for (const Count& more : behind.counts_) {
      bool is_new = true;
      for (Count& count : counts_) {
        if (count.kind != more.kind || count.subject != more.subject) continue;
        count.count += more.count;
        is_new = false;
      }
      if (is_new) counts_.push_back(more);
    }
  }

 private:
  std::vector<Count> counts_;  // few: one for each kind and subject
};

}  // namespace sortie
