#include "observe/assumptions.hpp"

#include <algorithm>
#include <utility>

#include "observe/assumption_words.hpp"

namespace sortie {

void Assumptions::add(const Guess& guess, const std::function<Position()>& position) {
  insert(guess, position);
  refuse_at_once_if_reported(guess.kind);
}

void Assumptions::refuse_at_once_if_reported(GuessKind kind) const {
  const bool refuses = [&] {
    const std::scoped_lock lock(mutex_);
    return refuses_at_once_;
  }();
  if (refuses && when_reported(kind) == Reported::kAlways) refuse_assumptions(list());
}

void Assumptions::insert(const Guess& guess, const std::function<Position()>& position) {
  const std::scoped_lock lock(mutex_);
  if (settled_.contains(guess.kind)) return;
  const auto known = std::ranges::find_if(entries_, [&](const Entry& entry) {
    return entry.guess.kind == guess.kind && entry.guess.subject == guess.subject;
  });
  if (known != entries_.end()) {
    known->total += guess.count;
    return;
  }
  entries_.push_back({guess, guess.count});
  if (leaves_positions_out_) {
    entries_.back().guess.position = {};
  } else if (position) {
    entries_.back().guess.position = position();
  }
}

void Assumptions::count_records(std::uint64_t records) {
  const std::scoped_lock lock(mutex_);
  records_ += records;
}

void Assumptions::put(const Guess& guess, std::uint64_t of) {
  const std::scoped_lock lock(mutex_);
  if (settled_.contains(guess.kind) || leaves_positions_out_) return;  // the sort that reads the inputs says it
  std::erase_if(entries_, [&](const Entry& entry) { return entry.guess.kind == guess.kind; });
  entries_.push_back({guess, guess.count, of});
}

void Assumptions::settle(GuessKind kind) {
  const std::scoped_lock lock(mutex_);
  settled_.insert(kind);
}

void Assumptions::settle_as(const Assumptions& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  settled_ = other.settled_;
  are_refused_ = other.are_refused_;
}

void Assumptions::leave_positions_out() {
  const std::scoped_lock lock(mutex_);
  leaves_positions_out_ = true;
}

void Assumptions::move_positions(std::uint64_t lines) {
  const std::scoped_lock lock(mutex_);
  for (Entry& entry : entries_) {
    if (entry.guess.position.line != 0) entry.guess.position.line += lines;
  }
}

Assumptions::Counted Assumptions::counted() const {
  const std::scoped_lock lock(mutex_);
  Counted counted{records_};
  for (const Entry& entry : entries_) {
    if (entry.of) continue;
    counted.guesses.push_back(entry.guess);
    counted.guesses.back().count = entry.total;
  }
  return counted;
}

void Assumptions::begin_with(const Counted& earlier) {
  count_records(earlier.records);
  for (const Guess& guess : earlier.guesses) insert(guess, [&] { return guess.position; });
  for (const Guess& guess : earlier.guesses) refuse_at_once_if_reported(guess.kind);
}

void Assumptions::refuse_at_once() {
  const std::scoped_lock lock(mutex_);
  refuses_at_once_ = are_refused_;
}

void Assumptions::clear() {
  const std::scoped_lock lock(mutex_);
  entries_.clear();
  records_ = 0;
}

bool Assumptions::has_positions() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.guess.position.line != 0; });
}

std::vector<ShardAssumption> Assumptions::words() const {
  const std::scoped_lock lock(mutex_);
  std::vector<ShardAssumption> words;
  for (const auto& [guess, total, of] : entries_) words.push_back(words_of(guess, total, of.value_or(records_)));
  return words;
}

std::vector<Assumption> Assumptions::list() const { return listed(words()); }

}  // namespace sortie
