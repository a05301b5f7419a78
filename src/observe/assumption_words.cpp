#include "observe/assumption_words.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {
namespace {

/// What is said of a kind. {subject}, {count} and {of} stand for what they are called; {first} for where the first is,
/// and for its text if that says something.
struct Row {
  GuessKind kind;
  const char* word;                ///< for programs
  const char* some = "";           ///< if it was assumed of some records
  const char* all = "";            ///< if it was assumed of all; empty: as of some
  Remedy remedy = Remedy::kOther;  ///< what the last words of both advise, if there is an option for it
  Reported when = Reported::kAlways;
  bool shows_text = false;
  bool is_of_inputs = false;  ///< it is about inputs, not about records
};

constexpr std::array kRows{
    Row{.kind = GuessKind::kUnreadTime,
        .word = "unread-time",
        .some = "{subject}: no time could be read in {count} of {of} records{first}; they count as equal, and as "
                "earlier than all others: correct them, or name the form of the times",
        .all = "{subject}: no time could be read in any of {of} records{first}: name another key, or the form of the "
               "times",
        .shows_text = true},
    Row{.kind = GuessKind::kUnknownZone,
        .word = "unknown-zone",
        .some = "{subject}: {count} of {of} records have a time in a zone that is not known{first}; they count as "
                "equal, and as earlier than all others: say which zone it is",
        .remedy = Remedy::kZone,
        .shows_text = true},
    Row{.kind = GuessKind::kAssumedYear,
        .word = "assumed-year",
        .some = "{subject}: {count} of {of} records have a time without a year{first}; it is taken to be the last such "
                "day before the inputs were changed: say which year it is",
        .remedy = Remedy::kYear,
        .shows_text = true},
    Row{.kind = GuessKind::kAssumedZone,
        .word = "assumed-zone",
        .some = "{subject}: {count} of {of} records have a time without a zone{first}, and others have one; it is "
                "taken to be in UTC: say which zone it is",
        .remedy = Remedy::kZone,
        .when = Reported::kIfMixed,
        .shows_text = true},
    Row{.kind = GuessKind::kWrittenZone, .word = "written-zone", .when = Reported::kNever},
    Row{.kind = GuessKind::kUnreadNumber,
        .word = "unread-number",
        .some = "{subject}: no number could be read in {count} of {of} records{first}; they all count as 0: correct "
                "them, or say which words stand for a missing value",
        .all = "{subject}: no number could be read in any of {of} records{first}: name another key, or another type",
        .shows_text = true},
    Row{.kind = GuessKind::kCutNumber,
        .word = "cut-number",
        .some = "{subject}: {count} of {of} records go on behind the number{first}, and what follows it does not "
                "count: correct them, or order them in another way",
        .shows_text = true},
    Row{.kind = GuessKind::kUnreadGeneral,
        .word = "unread-number",
        .some = "{subject}: no number could be read in {count} of {of} records{first}; they count as equal, and as "
                "less than all numbers: correct them, or say which words stand for a missing value",
        .all = "{subject}: no number could be read in any of {of} records{first}: name another key, or another type",
        .shows_text = true},
    Row{.kind = GuessKind::kUnreadMonth,
        .word = "unread-month",
        .some = "{subject}: no month could be read in {count} of {of} records{first}; they count as equal, and as "
                "earlier than all months: correct them",
        .shows_text = true},
    Row{.kind = GuessKind::kUnlistedName,
        .word = "unlisted-name",
        .some = "{subject}: {count} of {of} records have a name that is not listed{first}; they come last: add it to "
                "the header or the list, or order names in another way",
        .shows_text = true},
    Row{.kind = GuessKind::kMissingValue,
        .word = "missing-value",
        .some =
            "{subject}: {count} of {of} records have no such value{first}; they count as equal, and come last: give "
            "them one, or leave them out",
        .all = "{subject}: none of {of} records has such a value, so that all count as equal by it: correct the path"},
    Row{.kind = GuessKind::kEmptyKey,
        .word = "empty-key",
        .all = "{subject}: it is empty in all of {of} records, so that all count as equal by it: name another key",
        .when = Reported::kIfAll},
    Row{.kind = GuessKind::kEmptyAggregate,
        .word = "empty-aggregate",
        .all = "{subject}: none of {of} records has a value to aggregate: name another column",
        .when = Reported::kIfAll},
    Row{.kind = GuessKind::kLacksColumn,
        .word = "lacks-column",
        .some = "{subject}: {count} of {of} records end in front of it{first}; the key counts as empty: complete them, "
                "or leave them out"},
    Row{.kind = GuessKind::kQuotedField,
        .word = "quoted-field",
        .some = "{count} of {of} records have a field that begins and ends with a quote{first}; quotes are taken to "
                "mean nothing, as in TSV: say that they do, or that they do not",
        .remedy = Remedy::kSayQuoting},
    Row{.kind = GuessKind::kLacksHeader,
        .word = "lacks-header",
        .some = "{count} of {of} inputs have no header{first}; the output has that of the others: give them one",
        .all = "none of {of} inputs has a header{first}: all their lines are sorted",
        .is_of_inputs = true},
    Row{.kind = GuessKind::kGuessedHeader,
        .word = "guessed-header",
        .some = "{count} of {of} inputs have a comment with as many fields as the record behind it{first}; that record "
                "is taken to be the header: if the comment is, say so",
        .remedy = Remedy::kHeaderLines,
        .is_of_inputs = true},
    Row{.kind = GuessKind::kLeftComments,
        .word = "other-comments",
        .some = "{count} of {of} inputs have other comments in front of their header, or none{first}; the output has "
                "those of the first input: give all the same",
        .is_of_inputs = true},
};

const Row& row_of(GuessKind kind) { return *std::ranges::find(kRows, kind, &Row::kind); }

/// The first kind with this word: others differ only in what is said. Null: a word of another version.
const Row* row_of(std::string_view word) {
  const auto* const row = std::ranges::find_if(kRows, [&](const Row& known) { return known.word == word; });
  return row == kRows.end() ? nullptr : row;
}

/// FILE:LINE, "FILE: record N", FILE, or nothing.
std::string text_of(const GuessPosition& position) {
  if (position.line == 0) return position.path;
  return position.path + (position.word == "line" ? ":" : ": " + position.word + " ") + std::to_string(position.line);
}

std::string first_of(const Row& row, const Guess& guess) {
  const std::string text = row.shows_text ? quote_word(guess.text) : std::string();
  const std::string position = escape_unprintable(text_of(guess.position));
  if (position.empty()) return text.empty() ? "" : ", the first " + text;
  return ", the first at " + position + (text.empty() ? "" : " " + text);
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

/// Nothing if it is reported only where all records are such, and not all are.
std::optional<Assumption> assumption_of(const ShardAssumption& words) {
  const bool is_of_all = words.count >= words.of;
  if (words.only_if_all && !is_of_all) return std::nullopt;
  const Row* const row = row_of(words.kind);
  return Assumption{
      .kind = words.kind,
      .message = filled(is_of_all ? words.all : words.some,
                        {{"{count}", std::to_string(words.count)}, {"{of}", std::to_string(words.of)}, {"{{}", "{"}}),
      .count = words.count,
      .of = words.of,
      .first_place = words.first_place,
      .remedy = row == nullptr ? Remedy::kOther : row->remedy};
}

}  // namespace

Reported when_reported(GuessKind kind) { return row_of(kind).when; }

ShardAssumption words_of(const Guess& first, std::uint64_t count, std::uint64_t of) {
  const Row& row = row_of(first.kind);
  const auto fill = [&](const char* text) {
    return filled(text,
                  {{"{subject}", without_fields(first.subject)}, {"{first}", without_fields(first_of(row, first))}});
  };
  return {.kind = row.word,
          .subject = first.subject,
          .some = fill(row.some),
          .all = fill(*row.all == '\0' ? row.some : row.all),
          .only_if_all = row.when == Reported::kIfAll,
          .count = count,
          .of = of,
          .first_place = text_of(first.position),
          .only_with = row.when == Reported::kIfMixed ? row_of(GuessKind::kWrittenZone).word : ""};
}

std::vector<Assumption> listed(const std::vector<ShardAssumption>& sums) {
  std::vector<Assumption> list;
  for (const ShardAssumption& sum : sums) {
    const bool is_said = !sum.some.empty() || !sum.all.empty();
    const bool is_alone = !sum.only_with.empty() && std::ranges::none_of(sums, [&](const ShardAssumption& other) {
      return other.kind == sum.only_with && other.subject == sum.subject;
    });
    if (!is_said || is_alone) continue;
    if (std::optional<Assumption> assumption = assumption_of(sum)) list.push_back(*std::move(assumption));
  }
  return list;
}

std::vector<Assumption> total_assumptions(std::span<const ShardAssumption> parts, std::uint64_t records) {
  std::vector<ShardAssumption> sums;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
  for (const ShardAssumption& part : parts) {
    const auto [sum, is_new] = known.try_emplace({part.kind, part.subject}, sums.size());
    if (is_new) {
      sums.push_back(part);
    } else {
      sums[sum->second].count += part.count;
      sums[sum->second].of += part.of;
    }
  }
  for (ShardAssumption& sum : sums) {
    const Row* const row = row_of(sum.kind);
    if (row == nullptr || !row->is_of_inputs) sum.of = records;
  }
  return listed(sums);
}

void refuse_assumptions(const std::vector<Assumption>& assumptions) {
  if (assumptions.empty()) return;
  const std::size_t kinds = assumptions.size();
  const std::string first = kinds == 1 ? "" : " in " + std::to_string(kinds) + " ways, the first is this";
  throw Error("the sort would have to assume something" + first + ": " + assumptions.front().message,
              assumptions.front().remedy);
}

void refuse_if_strict(const SortOptions& options, const std::vector<Assumption>& assumptions) {
  if (options.strict) refuse_assumptions(assumptions);
}

GuessWarner guess_warner(const SortOptions& options) {
  if (options.strict) return [](const std::string&, const std::string& refusal) { throw Error(refusal); };
  return [warn = options.warn](const std::string& warning, const std::string&) {
    if (warn) warn(warning);
  };
}

}  // namespace sortie
