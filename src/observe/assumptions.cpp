#include "observe/assumptions.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {
namespace {

enum class Told : std::uint8_t {
  kAlways,
  kIfMixed,  ///< only if of other records the opposite is known: see kWrittenZone
  kNever,
  kIfAll,  ///< only if there is no record of which it was not assumed
};

/// What is said of a kind. {subject}, {count} and {of} stand for what they are called; {first} for where the first is,
/// and for its text if that tells something.
struct Row {
  GuessKind kind;
  const char* word;  ///< for programs
  const char* some;  ///< if it was assumed of some records
  const char* all;   ///< if it was assumed of all; empty: as of some
  Told told = Told::kAlways;
  bool shows_text = false;
};

constexpr std::array kRows{
    Row{GuessKind::kUnreadTime, "unread-time",
        "{subject}: no time could be read in {count} of {of} records{first}; they count as earlier than all others: "
        "correct them, or name the form of the times",
        "{subject}: no time could be read in any of {of} records{first}: name another key, or the form of the times",
        Told::kAlways, true},
    Row{GuessKind::kUnknownZone, "unknown-zone",
        "{subject}: {count} of {of} records have a time in a zone that is not known{first}; they count as earlier than "
        "all others: say which zone it is",
        "", Told::kAlways, true},
    Row{GuessKind::kAssumedYear, "assumed-year",
        "{subject}: {count} of {of} records have a time without a year{first}; it is taken to be the last such day "
        "before the inputs were changed: say which year it is",
        "", Told::kAlways, true},
    Row{GuessKind::kAssumedZone, "assumed-zone",
        "{subject}: {count} of {of} records have a time without a zone{first}, and others have one; it is taken to be "
        "in UTC: say which zone it is",
        "", Told::kIfMixed, true},
    Row{GuessKind::kWrittenZone, "written-zone", "", "", Told::kNever},
    Row{GuessKind::kUnreadNumber, "unread-number",
        "{subject}: no number could be read in {count} of {of} records{first}; they count as 0: correct them, or say "
        "which words stand for a missing value",
        "{subject}: no number could be read in any of {of} records{first}: name another key, or another type",
        Told::kAlways, true},
    Row{GuessKind::kCutNumber, "cut-number",
        "{subject}: {count} of {of} records go on behind the number{first}, and what follows it does not count: "
        "correct "
        "them, or order them in another way",
        "", Told::kAlways, true},
    Row{GuessKind::kUnreadGeneral, "unread-number",
        "{subject}: no number could be read in {count} of {of} records{first}; they count as less than all numbers: "
        "correct them, or say which words stand for a missing value",
        "{subject}: no number could be read in any of {of} records{first}: name another key, or another type",
        Told::kAlways, true},
    Row{GuessKind::kUnreadMonth, "unread-month",
        "{subject}: no month could be read in {count} of {of} records{first}; they count as earlier than all months: "
        "correct them",
        "", Told::kAlways, true},
    Row{GuessKind::kUnlistedName, "unlisted-name",
        "{subject}: {count} of {of} records have a name that the header does not list{first}; they come last: add it "
        "there, or order names in another way",
        "", Told::kAlways, true},
    Row{GuessKind::kMissingValue, "missing-value",
        "{subject}: {count} of {of} records have no such value{first}; they come last: give them one, or leave them "
        "out",
        "{subject}: none of {of} records has such a value, so that nothing is ordered by it: correct the path"},
    Row{GuessKind::kEmptyKey, "empty-key", "",
        "{subject}: it is empty in all of {of} records, so that nothing is ordered by it: name another key",
        Told::kIfAll},
    Row{GuessKind::kEmptyAggregate, "empty-aggregate", "",
        "{subject}: none of {of} records has a value to aggregate: name another column", Told::kIfAll},
    Row{GuessKind::kLacksColumn, "lacks-column",
        "{subject}: {count} of {of} records end in front of it{first}; the key counts as empty: complete them, or "
        "leave "
        "them out",
        ""},
    Row{GuessKind::kQuotedField, "quoted-field",
        "{count} of {of} records have a field that begins and ends with a quote{first}; quotes are taken to mean "
        "nothing, as in TSV: say that they do, or that they do not",
        ""},
    Row{GuessKind::kLacksHeader, "lacks-header",
        "{count} of {of} inputs have no header{first}; the output has that of the others: give them one",
        "none of {of} inputs has a header{first}: all their lines are sorted", Told::kAlways},
    Row{GuessKind::kGuessedHeader, "guessed-header",
        "{count} of {of} inputs have a comment with as many fields as the record behind it{first}; that record is "
        "taken to be the header: if the comment is, say so",
        ""},
    Row{GuessKind::kLeftComments, "other-comments",
        "{count} of {of} inputs have other comments in front of their header, or none{first}; the output has those of "
        "the first input: give all the same",
        ""},
};

const Row& row_of(GuessKind kind) { return *std::ranges::find(kRows, kind, &Row::kind); }

/// FILE:LINE, "FILE: record N", FILE, or nothing.
std::string text_of(const Assumptions::Place& place) {
  if (place.line == 0) return place.path;
  return place.path + (place.word == "line" ? ":" : ": " + place.word + " ") + std::to_string(place.line);
}

std::string first_of(const Row& row, const Assumptions::Guess& guess) {
  const std::string text = row.shows_text ? quote_word(guess.text) : std::string();
  const std::string place = escape_unprintable(text_of(guess.place));
  if (place.empty()) return text.empty() ? "" : ", the first " + text;
  return ", the first at " + place + (text.empty() ? "" : " " + text);
}

std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string out;
  while (!text.empty()) {
    const auto value = std::ranges::find_if(values, [&](const auto& pair) { return text.starts_with(pair.first); });
    if (value == values.end()) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += value->second;
      text.remove_prefix(value->first.size());
    }
  }
  return out;
}

/// Text of the user's data that is put into a text with fields is none: its braces are written {{}.
std::string without_fields(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '{' ? std::string("{{}") : std::string(1, c);
  return out;
}

/// `count`: of all such guesses; `of`: how many there could be.
Assumptions::Parts parts_of(const Row& row, const Assumptions::Guess& first, std::uint64_t count, std::uint64_t of) {
  const auto fill = [&](const char* text) {
    return filled(text,
                  {{"{subject}", without_fields(first.subject)}, {"{first}", without_fields(first_of(row, first))}});
  };
  return {.kind = row.word,
          .subject = first.subject,
          .some = fill(row.some),
          .all = fill(*row.all == '\0' ? row.some : row.all),
          .only_if_all = row.told == Told::kIfAll,
          .count = count,
          .of = of,
          .first_place = text_of(first.place)};
}

}  // namespace

void Assumptions::add(const Guess& guess, const std::function<Place()>& place) {
  insert(guess, place);
  refuse_what_is_told(guess.kind);
}

void Assumptions::refuse_what_is_told(GuessKind kind) const {
  const bool refuses = [&] {
    const std::scoped_lock lock(mutex_);
    return refuses_at_once_;
  }();
  if (refuses && row_of(kind).told == Told::kAlways) refuse_assumptions(list());
}

void Assumptions::insert(const Guess& guess, const std::function<Place()>& place) {
  const std::scoped_lock lock(mutex_);
  if (told_.contains(guess.kind)) return;
  const auto known = std::ranges::find_if(entries_, [&](const Entry& entry) {
    return entry.guess.kind == guess.kind && entry.guess.subject == guess.subject;
  });
  if (known != entries_.end()) {
    known->total += guess.count;
    return;
  }
  entries_.push_back({guess, guess.count});
  if (leaves_places_out_) {
    entries_.back().guess.place = {};
  } else if (place) {
    entries_.back().guess.place = place();
  }
}

void Assumptions::add(const Guess& guess) { add(guess, {}); }

void Assumptions::count_records(std::uint64_t records) {
  const std::scoped_lock lock(mutex_);
  records_ += records;
}

void Assumptions::put(const Guess& guess, std::uint64_t of) {
  const std::scoped_lock lock(mutex_);
  if (told_.contains(guess.kind) || leaves_places_out_) return;  // the sort that reads the inputs says it
  std::erase_if(entries_, [&](const Entry& entry) { return entry.guess.kind == guess.kind; });
  entries_.push_back({guess, guess.count, of});
}

void Assumptions::is_told(GuessKind kind) {
  const std::scoped_lock lock(mutex_);
  told_.insert(kind);
}

void Assumptions::is_told_as(const Assumptions& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  told_ = other.told_;
}

void Assumptions::leave_places_out() {
  const std::scoped_lock lock(mutex_);
  leaves_places_out_ = true;
}

void Assumptions::move_places(std::uint64_t lines) {
  const std::scoped_lock lock(mutex_);
  for (Entry& entry : entries_) {
    if (entry.guess.place.line != 0) entry.guess.place.line += lines;
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
  for (const Guess& guess : earlier.guesses) insert(guess, [&] { return guess.place; });
  for (const Guess& guess : earlier.guesses) refuse_what_is_told(guess.kind);
}

void Assumptions::refuse_at_once() {
  const std::scoped_lock lock(mutex_);
  refuses_at_once_ = true;
}

void Assumptions::clear() {
  const std::scoped_lock lock(mutex_);
  entries_.clear();
  records_ = 0;
}

// Those of a time without a zone are, if another time of that key has one.
bool Assumptions::may_be_told(const Guess& guess) const {
  const Told told = row_of(guess.kind).told;
  if (told != Told::kIfMixed) return told != Told::kNever;
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    return entry.guess.kind == GuessKind::kWrittenZone && entry.guess.subject == guess.subject;
  });
}

bool Assumptions::has_places() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.guess.place.line != 0; });
}

std::vector<Assumptions::Parts> Assumptions::parts() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Parts> parts;
  for (const auto& [guess, total, of] : entries_) {
    parts.push_back(parts_of(row_of(guess.kind), guess, total, of.value_or(records_)));
  }
  return parts;
}

std::string Assumptions::message_of(std::string_view text, std::uint64_t count, std::uint64_t of) {
  return filled(text, {{"{count}", std::to_string(count)}, {"{of}", std::to_string(of)}, {"{{}", "{"}});
}

std::vector<Assumption> Assumptions::list() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Assumption> list;
  for (const auto& [guess, total, of] : entries_) {
    if (!may_be_told(guess)) continue;
    const Parts part = parts_of(row_of(guess.kind), guess, total, of.value_or(records_));
    const bool is_of_all = part.count >= part.of;
    if (part.only_if_all && !is_of_all) continue;
    list.push_back({.kind = part.kind,
                    .message = message_of(is_of_all ? part.all : part.some, part.count, part.of),
                    .count = part.count,
                    .of = part.of,
                    .first_place = part.first_place});
  }
  return list;
}

void refuse_assumptions(const std::vector<Assumption>& assumptions) {
  if (assumptions.empty()) return;
  const std::size_t kinds = assumptions.size();
  const std::string first = kinds == 1 ? "" : " in " + std::to_string(kinds) + " ways, the first is this";
  throw Error("the sort would have to assume something" + first + ": " + assumptions.front().message);
}

}  // namespace sortie
