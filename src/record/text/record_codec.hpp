// Turns a record into the form in which it is sorted, and back. Every job has one codec: readers encode records with
// it, finishers decode them. The codec of records that order by their bytes as they are makes no keys and changes
// nothing.
//
// Any other record becomes an encoded line: its keys in front, in bytes that order as a plain line does. So both
// engines sort, merge and store plain lines.
//
//   | key 1 | end | key 2 | end | ... | position | the line | delimiter |
//
// Keys are escaped: neither the delimiter nor an end mark occurs within one. The position of the line in the input is
// there if lines with equal keys keep their input order; else the bytes of the line decide between them. Records of CSV
// always have their position; each is kept as one line (quote_scanner.hpp).
//
// Text that orders by strcoll() has a key of what is proven to agree with strcoll(), and a rank behind it. The rank is
// open until strcoll() has put the lines in order whose keys are equal so far: see compare_keys().
//
//   | proven part of key 1 | end | rank | key 2 | end | ... | position | the line | delimiter |
//
// Length-prefixed records become lines, too, so that engines, runs and merges need not know of them. The header follows
// from key and payload:
//
//   | key, escaped | end | position | payload, stuffed | delimiter |
//
// In a shuffle the key is random. Records that are no lines are kept as lines:
//
//   | random key | end | the line | delimiter |                 or
//   | random key | end | position | the record, stuffed | delimiter |
//
// With --group, the state of the group takes the place of the line; at first it is the state of one line:
//
//   | key 1 | end | key 2 | end | ... | position | state, stuffed | delimiter |
//
// If all lines lie in memory anyway, they are not copied. An encoded line then holds a reference to its line, and
// ascending references keep input order:
//
//   | keys with their end marks | reference | delimiter |
//
// Records that another sort takes with their keys or positions (record_form.hpp) are always encoded. A line that is its
// own key is held once; the fields of records of fixed length make one key:
//
//   | the line | end | position | delimiter |            and
//   | fields | end | position | the record, stuffed | delimiter |
//
// Bytes with which most keys begin may be left out. A byte in front then says whether they were, or whether the key is
// less or greater than they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/grouping.hpp>

#include "base/checksum.hpp"
#include "record/aggregate/group_state.hpp"
#include "record/collation/collated_text.hpp"
#include "record/record_form.hpp"
#include "record/record_order.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/text/key_step.hpp"

namespace sortie {

/// The format without TextOrder that orders records as `format` does. Format::descending reverses the whole order, last
/// resort included. Lines without keys are descending if Format::descending or TextOrder::last_resort_descending is
/// set. Precondition: RecordCodec::make(format) makes no keys.
Format plain_format(const Format& format);

/// True if encoding may refuse a line because it has not the form that it must have (EncodedLines::unreadable()). The
/// reader must then be able to name lines.
bool may_refuse_lines(const Format& format);

/// Memory for the text of a key that does not lie in the line as it is.
struct KeyTextScratch {
  UnquotedRecord unquoted;
  std::string field;
  std::vector<std::byte> record;
};

class RecordCodec {
 public:
  /// The codec of a job. It makes no keys for records of fixed length, for arrays, and in the locale "C" for lines
  /// without keys or whose first key is the whole line without any option; but it always makes keys if `form` is not
  /// plain. `unique`: records with equal keys are duplicates, so nothing but the keys decides. `guess_subjects`: see
  /// guess_subjects.hpp; if empty, no guesses are counted. With TextOrder::locale, the C library's locale is copied
  /// here; later changes have no effect. Throws Error as validate() does if it makes keys.
  static RecordCodec make(const Format& format, bool unique, RecordForm form = RecordForm::kPlain,
                          std::vector<std::string> guess_subjects = {});

  /// The codec of records that need no keys. `format` has no TextOrder.
  static RecordCodec plain(const Format& format);

  /// A codec that makes keys for any order. `grouping`: null if lines are not grouped. Preconditions if they are: the
  /// columns of `grouping` have been found, and `unique` is set.
  RecordCodec(const Format& format, bool unique, const Grouping* grouping = nullptr,
              std::vector<std::string> guess_subjects = {});

  /// True if sorted records have keys in front; else they are as they were read.
  bool makes_keys() const { return makes_keys_; }

  /// A codec with the same keys and format whose encoded lines hold references to `lines`, whole lines that stay in
  /// memory as long as the codec is used. `in_common`: bytes with which most encoded lines begin; shorter than the keys
  /// of any. Precondition: may_refer().
  RecordCodec referring_to(std::span<const std::byte> lines, std::string in_common = {}) const;
  bool refers() const { return lines_.data() != nullptr; }
  /// True if encoded lines hold lines as they were read, so that a reference can take their place.
  bool may_refer() const;
  /// Precondition: refers().
  std::span<const std::byte> referred_lines() const { return lines_; }
  /// True if the bytes of the lines decide between lines with equal keys. References do not order so by themselves:
  /// whoever sorts them must compare the lines.
  bool line_bytes_decide() const;

  /// True if guesses about keys or aggregates are counted: EncodedLines::guesses().
  bool may_guess() const;
  /// The name of the key or aggregate that a guess is about.
  const std::string& guess_subject(std::size_t number) const;

  /// The format in which records are read and written.
  const Format& input_format() const;

  /// The format of records while they are sorted. With keys: lines that order by their bytes, ascending or descending.
  const Format& sorted_format() const;
  /// The order of records in sorted_format(). Collated lines with open ranks need compare_keys() beside it.
  const RecordOrder& order() const { return *order_; }

  /// Appends the encoded form of `line`, delimiter included, to `out`. `position`: below 2^56, and less for lines that
  /// come earlier in the input; the offset of the line if refers(). Thread-safe with an `out` per thread.
  void encode(Record line, std::uint64_t position, EncodedLines& out) const {
    if (refers()) {
      append_reference(line, position, out);
    } else {
      append_line(line, position, out);
    }
  }

  /// The line in an encoded one, delimiter included, where it lies. The newlines within a record of CSV are still
  /// replaced: restore() and original() put them back. Thread-safe. Precondition: records are lines or records of CSV.
  Record decode(Record encoded) const { return refers() ? referred_line(encoded) : held_line(encoded); }

  /// True if decode() gives lines exactly as they were read.
  bool keeps_lines_whole() const;

  /// Length of a sorted record as it was read. Thread-safe.
  std::size_t original_bytes(Record sorted) const { return makes_keys_ ? bytes_without_keys(sorted) : sorted.size(); }
  /// The same for many lines together.
  std::uint64_t original_bytes_of_all(std::span<const std::byte> encoded) const;
  /// How many lines these were made of: groups, of several.
  std::uint64_t original_count_of_all(std::span<const std::byte> encoded) const;

  /// The record as it was read, restored within the memory of `sorted`, which is overwritten. Thread-safe.
  Record restore(std::span<std::byte> sorted) const { return makes_keys_ ? cut_keys_off(sorted) : Record(sorted); }

  /// The record as it was read. It lies in `sorted`, or in `scratch` until that is used again. Thread-safe.
  Record original(Record sorted, std::vector<std::byte>& scratch) const {
    return makes_keys_ ? without_keys(sorted, scratch) : sorted;
  }

  /// The keys of an encoded line. The keys of one line are never the beginning of those of another one. Thread-safe.
  Record keys(Record encoded) const;

  /// The position that encode() was given for the line. Thread-safe. Precondition: the codec is made for
  /// RecordForm::kPositioned.
  std::uint64_t position(Record encoded) const;

  /// Number of leading bytes that all lines with the keys of `encoded` have in common: the keys, up to the first rank.
  /// `encoded` may be cut off behind any byte; then at most encoded.size(). Thread-safe.
  std::size_t bytes_alike(Record encoded) const;

  /// True if the keys of two sorted records are equal. Of an encoded line only the keys count: the bytes behind them
  /// differ between lines with equal keys, to keep these in order. Thread-safe.
  bool equal_keys(Record a, Record b) const {
    if (!makes_keys_) return order_->compare(a, b) == 0;
    // All references have one length, so lines of different length have different keys, unless these are collated.
    if (refers() && !collates() && a.size() != b.size()) return false;
    return compare_equal(a, b);
  }

  /// A hash of the keys, equal for records with equal keys.
  std::uint64_t hash_of_keys(Record record) const {
    if (makes_keys_) return hash_record(keys(record)).low;
    return order_->plan().whole_line ? hash_record(record).low : order_->prefix(record);
  }

  /// True if some keys have ranks. Bytes then order encoded lines only up to the first open rank.
  bool collates() const { return layout_.collated_count() > 0; }
  const KeyLayout& key_layout() const { return layout_; }
  /// Precondition: collates().
  const LocaleHandle& locale() const;

  /// What the states in encoded lines consist of; null if lines are not grouped.
  const GroupShape* group_shape() const;
  /// The state in an encoded line; valid as long as the line and `scratch`. Thread-safe. Precondition, here and below:
  /// lines are grouped.
  std::string_view group_state(Record encoded, std::vector<std::byte>& scratch) const;
  /// Replaces `out` by `encoded` with another state. Thread-safe.
  void put_group_state(Record encoded, const StateWriter& state, std::vector<std::byte>& out) const;
  /// First step of encoding a grouped line: appends its keys and its position to `out`, which keeps the line's texts
  /// until the next call. Returns the number of bytes of the keys.
  std::size_t append_group_head(Record line, std::uint64_t position, EncodedLines& out) const;
  /// Second step: appends the state of the line whose head was appended last.
  void append_line_state(Record line, EncodedLines& out) const;
  /// Second step, instead: adds the line whose head was appended last to `state`.
  void add_line(Record line, GroupState& state, EncodedLines& out) const;
  /// Appends a group whose lines were added: the head of the first one, and its state.
  void append_group(Record head, const GroupState& state, EncodedLines& out) const;
  /// Appends the encoded form of a group, made of the texts of its keys alone. `key_texts`: as GroupState::key_texts()
  /// has them; more may follow. Thread-safe with an `out` per thread. Precondition: there are no aggregates.
  void encode_group(std::string_view key_texts, EncodedLines& out) const;
  /// The names of keys and aggregates in a header, given without its line end. A key that is part of a field has the
  /// name of the field.
  std::vector<std::string> names_of_groups(std::string_view header) const;

  /// Compares the keys of two encoded lines, the last resort included, and returns the sign. Asks strcoll() where ranks
  /// are open. Thread-safe. Precondition: collates().
  int compare_keys(Record a, Record b) const;

  /// The part of a collated key's text that counts; valid as long as the line and `scratch`. Thread-safe.
  std::string_view collated_text(Record encoded, std::size_t rank, KeyTextScratch& scratch) const;
  bool is_descending(std::size_t rank) const;

 private:
  struct Impl;

  explicit RecordCodec(std::shared_ptr<const Impl> impl);
  std::size_t bytes_without_keys(Record encoded) const;
  Record cut_keys_off(std::span<std::byte> encoded) const;
  Record without_keys(Record encoded, std::vector<std::byte>& scratch) const;
  std::size_t made_key_bytes(Record encoded) const;
  std::size_t bytes_before_line(Record encoded) const;
  std::size_t grouped_bytes(Record encoded) const;
  Record prefixed_record(std::span<std::byte> key, std::span<std::byte> payload) const;
  Record line_in_key(Record encoded, std::byte* out) const;
  bool compare_equal(Record a, Record b) const;
  int compare_texts(Record a, Record b, std::size_t rank) const;
  void append_line(Record line, std::uint64_t position, EncodedLines& out) const;
  void append_reference(Record line, std::uint64_t position, EncodedLines& out) const;
  Record held_line(Record encoded) const;
  Record referred_line(Record encoded) const;

  std::shared_ptr<const Impl> impl_;
  bool makes_keys_;
  const RecordOrder* order_;  // in impl_
  KeyLayout layout_;
  std::span<const std::byte> lines_;  // the lines that are referred to
  std::string in_common_;
};

}  // namespace sortie
