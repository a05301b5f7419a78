// The immutable part of a RecordCodec, which copies of it share: keys, ready to be made, and how lines are held. Only
// the sources of the record codec include it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/aggregate/group_state.hpp"
#include "record/collation/first_level.hpp"
#include "record/json/json_finder.hpp"
#include "record/text/field_finder.hpp"
#include "record/text/key_step.hpp"
#include "record/text/key_writer.hpp"
#include "record/text/line_reference.hpp"
#include "record/text/random_key.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// What decides once all keys are equal.
enum class LastResort { kBytes, kCollation, kNone };

/// What stands between keys and delimiter in an encoded line.
enum class LineBody {
  kAll,       ///< the record as it is: there are no keys
  kLine,      ///< the line as it is
  kOfLines,   ///< a record that may hold newlines, as one of CSV does, kept as a line
  kPrefixed,  ///< the payload of a length-prefixed record
  kStuffed,   ///< a record of any bytes: it is shuffled, or has fields
  kInKey,     ///< nothing: the only key is the line
  kGroup,     ///< the state of a group, in place of its lines
};

/// A line without its delimiter.
inline std::string_view text_of_line(Record line) {
  return {reinterpret_cast<const char*>(line.data()), line.size() - 1};
}

struct RecordCodec::Impl {
  /// `grouping`: null if lines are not grouped. `guess_subjects`: of guess_subjects(), or none.
  Impl(const Format& given, TextLocale locale, bool unique, RecordForm form, const Grouping* grouping,
       std::vector<std::string> guess_subjects);
  /// Makes no keys: records are sorted as they are.
  explicit Impl(const Format& plain);

  void append_keys(Record line, std::uint64_t position, EncodedLines& out) const;
  void append_text_keys(Record line, EncodedLines& out) const;
  void append_fields(Record record, EncodedLines& out) const;
  void append_field_keys(const FieldFinder::Fields& fields, EncodedLines& out) const;
  /// The keys of a comment, or of a line that is refused; false if the line is neither.
  bool append_keys_of_other_line(std::string_view line, EncodedLines& out) const;
  /// The same for a record of CSV. Counts a guess for each key whose column the record lacks.
  void append_column_keys(const FieldFinder::Fields& fields, EncodedLines& out) const;
  void append_value_keys(std::string_view text, EncodedLines& out) const;
  /// Finds the values of a line of JSON.
  void find_values(Record line, EncodedLines& out) const;
  /// Appends the keys of a line that is grouped, and finds the texts of its keys and aggregates.
  void append_group_keys(Record line, EncodedLines& out) const;
  /// Counts a guess for each aggregate without a value in the line whose texts were found last.
  void count_empty_aggregates(EncodedLines& out) const;
  /// Appends the state that these texts make, and the delimiter.
  void append_group_state(Record line, EncodedLines& out) const;
  /// The same for the state in `out`.
  void append_state(EncodedLines& out) const;
  void report_refused(const std::optional<RefusedValue>& refused, Record line, EncodedLines& out) const;
  /// What is wrong with the value of an aggregate.
  std::string complaint_of(const RefusedValue& refused, std::string_view text) const;
  /// The part of a line, without its end, that keys are made of.
  std::string_view text_of(Record line) const {
    const std::string_view text = text_of_line(line);
    return first_line_counts ? text.substr(0, text.find('\n')) : text;
  }
  /// The number by which guesses about a key or aggregate are counted; nothing if they are not.
  std::optional<std::size_t> subject(std::size_t number) const {
    const bool counts = number < guess_subjects.size() && !guess_subjects[number].empty();
    return counts ? std::optional(number) : std::nullopt;
  }
  /// Counts the guess that quotes mean nothing, if the record has a field in quotes.
  void count_quotes(Record line, EncodedLines& out) const {
    const std::size_t number = guess_subjects.size() - 1;
    if (has_quoted_field(text_of_line(line), lines.text.separator.front())) {
      out.guess(GuessKind::kQuotedField, number, {});
    }
  }
  /// Writes the position of a record, if it has one; returns its end.
  std::byte* write_position(std::uint64_t position, std::byte* out) const {
    if (!has_position()) return out;
    store_position(position, out);
    return out + kPositionBytes;
  }
  bool has_position() const { return last_resort != LastResort::kBytes; }
  std::byte delimiter() const { return static_cast<std::byte>(encoded.delimiter); }

  std::vector<std::string> guess_subjects;  // may be fewer than keys and aggregates
  Format lines;
  LineBody body;
  bool counts_quotes;               // the last of guess_subjects
  std::vector<TextKey> positions;   // of the texts that are looked for in a line: keys, then aggregates
  std::optional<GroupShape> group;  // nothing if lines are not grouped
  bool first_line_counts;           // of records that a line begins
  bool has_other_lines;             // comments, or lines that are refused
  bool unlike;                      // of records with equal keys one is kept
  std::optional<FirstLevel> first_level;
  KeySurroundings surroundings;
  LastResort last_resort;
  Format encoded;
  FieldFinder finder;
  JsonFinder json_finder;
  std::vector<KeyStep> steps;
  std::optional<ShuffleKey> shuffle;       // in place of all keys, or behind that of a share
  std::optional<RecordOrder> field_order;  // of records that are no lines, whose key they make
  std::optional<KeyWriter> line_writer;    // writes the collated key of the whole line
  bool line_descending;
  KeyLayout layout;
  std::optional<RecordOrder> order;  // of sorted records
};

}  // namespace sortie
