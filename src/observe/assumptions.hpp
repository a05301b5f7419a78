// The one place that knows what a job assumes without being told: guesses are added while it works, and listed when it
// is done. Every observer has one, so that a job that begins anew counts anew. base/guess_counts.hpp says how to count
// a guess.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/assumption.hpp>

#include "base/guess_counts.hpp"

namespace sortie {

class Assumptions {
 public:
  struct Place {
    std::string path = {};      ///< of an input; empty: the guess has no place
    std::uint64_t line = 0;     ///< from 1; 0: it is about the input as a whole
    std::string word = "line";  ///< what is counted: lines, or records that may have several

    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Guess {
    GuessKind kind{};
    std::string subject = {};  ///< what it is about, for example "column 'price'"
    std::uint64_t count = 1;   ///< how often it was made
    std::string text = {};     ///< what was read in the first of these
    Place place = {};          ///< where that is

    friend bool operator==(const Guess&, const Guess&) = default;
  };
  /// What was counted of some records.
  struct Counted {
    std::uint64_t records = 0;
    std::vector<Guess> guesses = {};  ///< one for each kind and subject, with the count of all

    friend bool operator==(const Counted&, const Counted&) = default;
  };

  /// Adds guesses. `place`: called for the place of the first if no such guess was made before. Thread-safe.
  void add(const Guess& guess, const std::function<Place()>& place);
  void add(const Guess& guess);
  /// Adds records of which guesses may be made. Thread-safe.
  void count_records(std::uint64_t records);
  /// Says all that there is to say about one kind of guesses, which are not about records, in place of what was said
  /// before. `of`: how many there could be. Thread-safe.
  void put(const Guess& guess, std::uint64_t of);

  /// Guesses of this kind are none: the user has said it. Call before any is added.
  void is_told(GuessKind kind);
  /// The same things are told as there.
  void is_told_as(const Assumptions& other);

  /// Nobody knows the inputs that lines are read from: they come from another sort of the job.
  void leave_places_out();
  /// The inputs of this job have so many lines in front that are read elsewhere.
  void move_places(std::uint64_t lines);
  /// Whether any guess has a line.
  bool has_places() const;

  /// What was counted of records so far: not what is about inputs.
  Counted counted() const;
  /// Begins with what an earlier attempt has counted of the records that it has read. Throws Error after
  /// refuse_at_once() for a guess that is told by itself.
  void begin_with(const Counted& earlier);
  /// From now on add() throws Error for a guess that is told by itself, before anything can be made of its line.
  void refuse_at_once();

  /// Forgets all guesses, not what is told: the job begins anew.
  void clear();

  /// One for each kind and subject, in order of first occurrence. Thread-safe.
  std::vector<Assumption> list() const;

  /// The same in parts, for who adds up those of several processes: also what is told only if others say more.
  struct Parts {
    const char* kind;
    std::string subject;
    std::string some;  ///< with {count} and {of}; an opening brace of other text is {{}
    std::string all;   ///< the same
    bool only_if_all;
    std::uint64_t count;
    std::uint64_t of;
    std::string first_place;
  };
  std::vector<Parts> parts() const;
  /// `text`: Parts::some or Parts::all.
  static std::string message_of(std::string_view text, std::uint64_t count, std::uint64_t of);

 private:
  struct Entry {
    Guess guess;
    std::uint64_t total = 0;
    std::optional<std::uint64_t> of = {};  // nothing: of the records
  };

  bool may_be_told(const Guess& guess) const;
  void insert(const Guess& guess, const std::function<Place()>& place);
  void refuse_what_is_told(GuessKind kind) const;

  mutable std::mutex mutex_;  // guards all
  std::uint64_t records_ = 0;
  std::set<GuessKind> told_;
  bool leaves_places_out_ = false;
  bool refuses_at_once_ = false;
  std::vector<Entry> entries_;
};

/// Throws Error if there are any: nothing may be assumed.
void refuse_assumptions(const std::vector<Assumption>& assumptions);

}  // namespace sortie
