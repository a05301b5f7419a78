// What a job assumes: its guesses (base/guess_counts.hpp, which says how to count one) are added while it works. When
// it is done, all guesses of one kind about one subject are listed as one assumption, worded by assumption_words.hpp.
// Every observer has one of these, so that a job that begins anew counts anew.
//
// A kind is settled if the user has said what would have to be guessed; it is reported if it is listed.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sortie/assumption.hpp>

#include "base/guess_counts.hpp"
#include "observe/guess.hpp"

namespace sortie {

class Assumptions {
 public:
  using Position = GuessPosition;
  using Guess = sortie::Guess;

  /// What was counted of some records.
  struct Counted {
    std::uint64_t records = 0;
    std::vector<Guess> guesses = {};  ///< one for each kind and subject, with the count of all

    friend bool operator==(const Counted&, const Counted&) = default;
  };

  /// Adds guesses. `position`: called for the position of the first if no such guess was made before. Thread-safe.
  void add(const Guess& guess, const std::function<Position()>& position = {});
  /// Adds records of which guesses may be made. Thread-safe.
  void count_records(std::uint64_t records);
  /// Sets the guesses of a kind that is not about records, in place of those that were set before. `of`: how many there
  /// could be. Thread-safe.
  void put(const Guess& guess, std::uint64_t of);

  /// The user has said what guesses of this kind are about: they are not counted. Call before any is added.
  void settle(GuessKind kind);
  /// Settles what is settled there, and is refused if those are.
  void settle_as(const Assumptions& other);

  /// Nobody knows the inputs that lines are read from: they come from another sort of the job.
  void leave_positions_out();
  /// The inputs of this job have so many lines in front that are read elsewhere.
  void move_positions(std::uint64_t lines);
  /// Whether any guess has a line.
  bool has_positions() const;

  /// What was counted of records so far: not what is about inputs.
  Counted counted() const;
  /// Begins with what an earlier attempt has counted of the records that it has read. Throws Error after
  /// refuse_at_once() for a guess that is always reported.
  void begin_with(const Counted& earlier);
  /// Nothing may be assumed: what is reported is to be refused, all together once it is known.
  void be_refused() { are_refused_ = true; }
  bool are_refused() const { return are_refused_; }
  /// If they are refused, add() throws Error from now on for a guess that is always reported, before anything can be
  /// made of its line.
  void refuse_at_once();

  /// Forgets all guesses, not what is settled: the job begins anew.
  void clear();

  /// One for each kind and subject, in order of first occurrence. Thread-safe.
  std::vector<Assumption> list() const;

  /// The same of a shard, for total_assumptions(): also what is reported only if more is known of other shards.
  std::vector<ShardAssumption> words() const;

 private:
  struct Entry {
    Guess guess;
    std::uint64_t total = 0;
    std::optional<std::uint64_t> of = {};  // nothing: of the records
  };

  void insert(const Guess& guess, const std::function<Position()>& position);
  void refuse_at_once_if_reported(GuessKind kind) const;

  mutable std::mutex mutex_;  // guards all
  std::uint64_t records_ = 0;
  std::set<GuessKind> settled_;
  bool leaves_positions_out_ = false;
  bool are_refused_ = false;  // set before any is added
  bool refuses_at_once_ = false;
  std::vector<Entry> entries_;
};

}  // namespace sortie
