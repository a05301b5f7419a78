// How lines are ordered if not by their bytes as a whole: keys in fields, each read as text, a number, a month, a
// version or a time. The meaning of every part is that of the GNU sort option named beside it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sortie/record_start.hpp>

namespace sortie {

/// What the bytes of a key are read as.
enum class TextKind : std::uint8_t {
  kText,           ///< bytes, or the locale's collation
  kNumber,         ///< -n: an optional '-', digits, a decimal point; of any length
  kGeneralNumber,  ///< -g: what strtold() reads; what it cannot comes first, then NaNs
  kHumanNumber,    ///< -h: sign, then suffix (none < K < M < G ...), then number
  kMonth,          ///< -M: (unknown) < JAN < ... < DEC
  kVersion,        ///< -V: runs of digits by their value
  kRandom,         ///< -R: a hash of the bytes; equal keys stay together
  kTime,           ///< the moment that `time` says how to read; what is no time comes first
  kKaryotype,      ///< with "chr" in front or without: numbers < X < Y < M or MT < other names; else as kVersion
  kListed,         ///< in the order of `names`; others behind them, as kVersion
  kAlleles,        ///< of VCF: bases between commas, whatever their case; fewer come first, and "." is none
  kHash,           ///< 128 bits of a hash of the bytes with a seed: see TextOrder::random_seed
  kShare,          ///< the share that a hash of the bytes falls into: see TextKey::shares
};

/// How a time is written. It begins behind blanks, and what follows it does not count; a letter or digit may not follow
/// it directly. Without a zone it is UTC.
enum class TimeForm : std::uint8_t {
  /// ISO 8601 and RFC 3339 (2000-10-10T13:55:36.25+02:00, with blanks, a comma or the separator for T, '/' for '-', or
  /// without time of day), the form of web servers ([10/Oct/2000:13:55:36 -0700]), and those of syslog and date(1) (Oct
  /// 10 13:55:36, Tue Oct 10 13:55:36 EDT 2000). A time of day may end in AM or PM. Zones are numbers, UTC and those of
  /// RFC 5322. A date with a time of day that cannot be read is no time, nor is a plain number.
  kUsual,
  kSeconds,  ///< since 1970, as a decimal number
  kMilliseconds,
  kMicroseconds,
  kNanoseconds,
  kPattern,  ///< as TimeType::pattern says
};

struct TimeType {
  TimeForm form = TimeForm::kUsual;
  /// In letters of strftime(), and %f for a fraction of a second; an Error about others lists them. A letter or digit
  /// may follow the time.
  std::string pattern = {};

  friend bool operator==(const TimeType&, const TimeType&) = default;
};

/// A name of a zone in written times, for example CET, and what it means.
struct ZoneName {
  std::string name;
  std::int32_t offset_seconds = 0;  ///< east of UTC

  friend bool operator==(const ZoneName&, const ZoneName&) = default;
};

/// What quotes mean in records of TextOrder::csv.
enum class Quoting : std::uint8_t {
  /// RFC 4180: a field in double quotes may hold separators, newlines, and quotes, each written twice.
  kCsv,
  kNone,  ///< nothing: a quote is a byte like others
  /// A field in double quotes may hold separators, newlines, and quotes and backslashes, each behind a backslash; in
  /// front of any other byte a backslash is a byte like others.
  kBackslash,
};

/// A normal form of text: what makes texts that differ in trifles equal. Applied in this order; text that is no UTF-8
/// keeps the bytes that are none.
struct NormalForm {
  bool nfkc = false;         ///< Unicode's NFKC
  bool case_fold = false;    ///< Unicode's full case folding; with `nfkc`, NFKC again
  bool punctuation = false;  ///< characters of the categories P* do not count
  bool space = false;        ///< each run of white space is one blank; none at the ends

  bool is_wanted() const { return nfkc || case_fold || punctuation || space; }

  friend bool operator==(const NormalForm&, const NormalForm&) = default;
};

/// A share of all records, chosen by the hash of a key.
struct Share {
  std::string name;
  std::uint32_t billionths = 0;  ///< of all

  friend bool operator==(const Share&, const Share&) = default;
};

/// What Share::billionths of all shares add up to.
inline constexpr std::uint64_t kWholeOfShares = 1'000'000'000;

/// A place in a line, counted from 0.
struct TextPosition {
  std::size_t field = 0;
  std::size_t byte = 0;      ///< offset from the start of the field
  bool skip_blanks = false;  ///< -b: count `byte` from the first byte that is not blank

  friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

/// One key of an order of lines: the bytes from `begin` up to `end`; empty if `end` is not behind `begin`.
///
/// A position is found from the start of the line: pass `field` fields, each with the separator that follows it; with
/// `skip_blanks`, pass the blanks there; then pass `byte` bytes. It never goes beyond the end of the line.
///
///   -k2.3    begin {.field = 1, .byte = 2}
///   -k2,4    end {.field = 4, .byte = 0}: byte 0 is the end of field number 4 itself (from 1), in front of the
///            separator that follows it; skip_blanks does not count then
///   -k2,4.3  end {.field = 3, .byte = 3}: 3 bytes into field number 4
///   -n       the whole line: begin {}, no end
struct TextKey {
  TextPosition begin;
  std::optional<TextPosition> end;  ///< position behind the key; none: the end of the line
  TextKind kind = TextKind::kText;
  /// These three change the text before it is read as `kind`, whatever that is ("1m" is 1M with -h and -f).
  bool fold_case = false;           ///< -f: lower case as upper case
  bool dictionary = false;          ///< -d: only blanks, letters and digits count
  bool ignore_nonprinting = false;  ///< -i: only printable bytes count; has no effect beside `dictionary`
  bool descending = false;          ///< -r
  /// With TextOrder::csv: the key is the field of this name in the header. Empty: the one of `begin` and `end`. With
  /// TextOrder::json: the path of a value, as parse_json_key() takes it.
  std::string column = {};
  /// With TextOrder::csv: the word in `column` may also mean the position in `begin` and `end`. It is the name if the
  /// header has it, and refused if the header has both; see parse_table_key().
  bool may_be_position = false;
  TimeType time = {};  ///< kTime only
  /// kListed only, and each once. If there are none, those that the header lists count: the contigs of VCF, the
  /// sequence regions of GFF.
  std::vector<std::string> names = {};
  /// kListed only: where the header lists no names either, the key is read as kVersion.
  bool names_are_optional = false;
  /// Changes the text before it is read as kText, kRandom, kHash or kShare.
  NormalForm normal = {};
  /// kShare only: they make up 1,000,000,000 together. Of the MD5 digest of the text, the first 8 bytes are a number h,
  /// the highest first. The record is in the first share for which the shares up to it exceed h * 10^9 / 2^64, rounded
  /// down. So it depends on nothing but the text and the shares.
  std::vector<Share> shares = {};

  friend bool operator==(const TextKey&, const TextKey&) = default;
};

/// What decides a random order: the same seed gives the same order.
using RandomSeed = std::array<std::byte, 16>;

/// The order of lines by keys. Lines that are equal in all of them are ordered by their bytes (the "last resort"),
/// unless that is off.
struct TextOrder {
  std::vector<TextKey> keys;
  /// -t: what stands between fields, of one byte or more; what comes first in the line counts. Empty: a field begins at
  /// each transition from non-blank to blank.
  std::string separator;
  /// Text, blanks, case, months and decimal points follow the locale of the calling thread instead of "C": the one set
  /// by uselocale(), else by setlocale(). A sort copies it when it begins; later changes do not matter.
  bool locale = false;
  bool last_resort = true;              ///< off for -s, -u, and any key of times, CSV or JSON: equal keys stay
  bool last_resort_descending = false;  ///< -r as a global option
  /// Seed of kRandom and kHash keys and of Format::shuffle. None: made up when the sort begins; a sort that continues
  /// from a checkpoint takes the seed that it began with. A shard must have one, the same as the others.
  std::optional<RandomSeed> random_seed = {};
  /// Lines are records of CSV, with fields separated by `separator`, which must be one byte, and with quotes as
  /// `quoting` says. A quote within a field that does not begin with one is an ordinary byte. Text behind a closing
  /// quote, and a quote that no other closes, are refused with their line and column. Keys read a record without the
  /// quotes around fields and without "\r" at its end, and otherwise like other lines. Without keys the whole record
  /// counts, in that form. There is no last resort. Only SortOptions::header_lines, or the name of a column, makes the
  /// first record a header.
  bool csv = false;
  /// With `csv` only.
  Quoting quoting = Quoting::kCsv;
  /// With Quoting::kNone: nobody said so. Fields that begin and end with a quote are then counted as an assumption.
  bool quoting_is_assumed = false;
  /// Words that stand for a missing value in numeric keys and aggregates, beside nothing: "NA", "NULL", "-".
  std::vector<std::string> missing_words = {};
  /// Lines are JSON texts (JSON Lines), and keys are values in them, which their `column` leads to. In keys without
  /// kind and options, false comes before true, numbers, by their values, strings, by the bytes of their text, arrays
  /// and objects, by how they are written. In others the text of a value is read as the key says. A value that is
  /// missing or null comes last, also in a key that is descending. There must be a key, but in a shuffle, which only
  /// checks that lines are JSON.
  bool json = false;
  /// If it is set, a record is a line that matches and all that follow it up to the next that does, so that a stack
  /// trace stays with its line. Lines in front of the first such line of an input are a record of their own. Keys read
  /// the first line of a record; without keys all of it counts. There is no last resort.
  RecordStart record_start = {};
  /// A time without a year is in the year that ends with this day, counted from 1970-01-01. None: sort() takes the day
  /// after that on which one of its inputs was changed last, or for pipes the present day; a shard refuses such times.
  std::optional<std::int32_t> last_day = {};
  /// The zone of times that name none: a name of the system's tz database (Europe/Berlin), or an offset (+02:00). Names
  /// that it has for its own times (CET, CEST) are understood, too. Empty: UTC.
  std::string zone = {};
  /// Further names of zones that times have.
  std::vector<ZoneName> zone_names = {};
  /// What comments among the lines begin with. They come first, in the order of the input, and no key is read of them.
  /// With SortOptions::unique equal comments are one. Not for records of CSV, JSON or groups.
  std::vector<std::string> comment_prefixes = {};
  /// A line that begins with one of these ends what can be ordered, as the sequences behind GFF do: it is refused.
  std::vector<std::string> refused_prefixes = {};

  friend bool operator==(const TextOrder&, const TextOrder&) = default;
};

/// Whether a line is a comment among the records of the order.
inline bool is_comment(const TextOrder& order, std::string_view line) {
  for (const std::string& prefix : order.comment_prefixes) {
    if (line.starts_with(prefix)) return true;
  }
  return false;
}

/// Whether records come in the order of shares first, and by other keys within them.
inline bool is_ordered_by_shares(const TextOrder& order) {
  return !order.keys.empty() && order.keys.front().kind == TextKind::kShare;
}

/// Whether TextOrder::random_seed matters to the keys.
inline bool is_ordered_by_seed(const TextOrder& order) {
  for (const TextKey& key : order.keys) {
    if (key.kind == TextKind::kRandom || key.kind == TextKind::kHash) return true;
  }
  return false;
}

}  // namespace sortie
