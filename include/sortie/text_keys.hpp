// Parses keys of lines, written as for GNU sort: "2.3,4nr", or the older "+1.2 -4.3"; and those that it does not have,
// "4,5:time". For callers that take them from a command line or a file; TextOrder says what they mean.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

/// GNU sort's ordering options, each with its letter: those of one key, or the global ones, which count for keys that
/// have none of their own.
struct OrderingOptions {
  bool skip_blanks_at_begin = false;  ///< b
  bool skip_blanks_at_end = false;    ///< b
  bool dictionary = false;            ///< d
  bool fold_case = false;             ///< f
  bool general_number = false;        ///< g
  bool human_number = false;          ///< h
  bool ignore_nonprinting = false;    ///< i
  bool month = false;                 ///< M
  bool number = false;                ///< n
  bool random = false;                ///< R
  bool descending = false;            ///< r
  bool version = false;               ///< V
  std::optional<TimeType> time;       ///< written behind the key, ":time"; has no letter
  bool hash = false;                  ///< the same, ":hash"
  NormalForm normal = {};             ///< the same, ":normal(case,space,nfkc,punct)"

  /// Sets the option of a letter; b sets both of its options. i stays unset beside d, where it has no effect. Returns
  /// false if there is no such letter.
  bool set(char letter);
  /// These options without those that `others` has.
  OrderingOptions without(const OrderingOptions& others) const;
  /// The letters of the options that are set, in the order above; b if either of its options is set.
  std::string letters() const;

  friend bool operator==(const OrderingOptions&, const OrderingOptions&) = default;
};

/// A key as it was written; its options are not yet put together with the global ones.
struct KeyDefinition {
  TextPosition begin;
  std::optional<TextPosition> end;
  OrderingOptions options;
  bool obsolete = false;         ///< written as +1 -2
  std::string column = {};       ///< TextKey::column, a name or a path
  bool may_be_position = false;  ///< TextKey::may_be_position

  friend bool operator==(const KeyDefinition&, const KeyDefinition&) = default;
};

/// Parses KEYDEF, `F[.C][OPTS][,F[.C][OPTS]][:TYPE][:desc]`, F and C counted from 1. TYPE is made of letters as OPTS,
/// or is `time[(FORMAT)]`, where FORMAT is `s`, `ms`, `us`, `ns` or a TimeType::pattern, or is `hash`. In front of it
/// may stand `normal[(LIST)]:`, with the parts of a NormalForm: case, space, nfkc and punct; all of them without LIST.
/// Throws Error that says what is wrong with it.
KeyDefinition parse_key_definition(std::string_view text);

/// Parses `NAME[:TYPE][:desc]`: a key that is a column of CSV. TYPE is made of the letters of ordering options, or is
/// `time[(FORMAT)]`. A NAME that holds a colon, or could be taken for something else, stands in double quotes, with
/// those within it doubled. Throws Error.
KeyDefinition parse_column_key(std::string_view text);

/// Parses a key of records with columns: as parse_column_key() does, or as parse_key_definition() if it can be read so.
/// In the second case what stands in front of a colon may also be the name of a column: then `column` and
/// `may_be_position` are set, and the header decides. Throws Error.
KeyDefinition parse_table_key(std::string_view text);

/// Parses `PATH[:TYPE][:desc]`: a key that is a value of JSON Lines. PATH is made of `.NAME` and, from 0, `[INDEX]`, or
/// is `.`, the whole text; a NAME with one of ".[:" stands in double quotes, with escapes as in JSON. TYPE as above.
/// Throws Error.
KeyDefinition parse_json_key(std::string_view text);

/// Parses `begin` as `+F[.C][OPTS]` and, unless it is empty, `end` as `-F[.C][OPTS]`, counted from 0. Returns nothing
/// if `begin` has another form, and throws Error if `end` has.
std::optional<KeyDefinition> parse_obsolete_key(std::string_view begin, std::string_view end);

/// The definition's own options, or the global ones if it has none.
const OrderingOptions& effective_options(const KeyDefinition& definition, const OrderingOptions& global);

/// The key that a definition and the global options make. Throws Error if its options contradict each other.
TextKey make_text_key(const KeyDefinition& definition, const OrderingOptions& global);

/// The last day of a year from 1 to 9999, for TextOrder::last_day.
std::int32_t last_day_of_year(int year);

/// Sets TextOrder::zone and zone_names to what `list` says: a zone (Europe/Berlin, +02:00), names of zones with their
/// offsets (CET=+01:00), or several of these with commas between them. Throws Error; validate() finds out whether the
/// tz database has the zone.
void set_zones(TextOrder& order, std::string_view list);

/// Why a year or a zone of times (TextOrder::last_day, set_zones()) has no meaning in `order`: the end of a message
/// that begins with the name of the option. Empty if it has one. `example`: of a key of type time.
std::string fault_of_written_time(const TextOrder& order, std::string_view example);

/// The usual words for a missing value: "-", "NA", "N/A", "n/a", "NULL", "null", "None", "NaN" and "nan", and those of
/// `more`, which commas separate; for TextOrder::missing_words. Throws Error for an empty word.
std::vector<std::string> parse_missing_words(std::string_view more);

/// Parses shares of all records, `NAME=SHARE,NAME=SHARE`: decimal numbers, which add up to 1; for TextKey::shares.
/// Throws Error.
std::vector<Share> parse_shares(std::string_view list);

/// The key of a KEYDEF without global options.
TextKey parse_text_key(std::string_view text);

/// The order by `definitions`. If there are none, the key is the whole line as the global options read it, or no key if
/// they leave its bytes as they are. Does not set separator, locale and seed. Throws as make_text_key() does.
TextOrder make_text_order(std::span<const KeyDefinition> definitions, const OrderingOptions& global);

/// Puts a key in front of all others, for parts that go by its values (Parts::by_first_key). Global options do not
/// count for it. Without an end it is its own field, and where blanks separate fields, those in front of it do not
/// count. `order` must have all but locale and seed. `whole_line_counts`: without other keys, lines whose first key is
/// equal are ordered by, or differ in, all of the line. Of records of several lines no key reads all: then other keys
/// must be there. Throws as make_text_key() does.
void add_first_key(TextOrder& order, KeyDefinition definition, bool whole_line_counts);

}  // namespace sortie
