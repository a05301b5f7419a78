// What turns a record into the form in which it is sorted, and back. Every job has a codec. That of records whose bytes
// are in order as they are makes no keys: it leaves them as they are.
//
// Encode, sort, decode: a line whose order is not that of its bytes is given its normalised key in front, in
// bytes that make the encoded line sort as a plain line. Both engines then sort, merge and store plain lines.
//
//   | key 1 | end | key 2 | end | ... | position | the line | delimiter |
//
// Keys are escaped so that neither the delimiter nor an end mark occurs within one. The position of the line in the
// input is there only if lines with equal keys keep their input order; else the bytes of the line decide among them.
// Records of CSV always have their position, and are kept as one line each: see quote_scanner.hpp.
//
// The key of text that orders by strcoll() holds what is proven to agree with that, and a rank behind it. A rank is
// open until strcoll() has put the lines whose keys agree so far in order: see compare_keys().
//
//   | proven part of key 1 | end | rank | key 2 | end | ... | position | the line | delimiter |
//
// Length-prefixed records become lines, too: see prefixed_line.hpp.
//
// In a shuffle the key is random, and records of any kind that are no lines are kept as lines:
//
//   | random key | end | the line | delimiter |                 or
//   | random key | end | position | the record, stuffed | delimiter |
//
// Lines that are grouped leave their place to the state of their group, which is that of one line at first:
//
//   | key 1 | end | key 2 | end | ... | position | state, stuffed | delimiter |
//
// If all lines lie in memory anyway, they need not be copied. An encoded line then refers to its line, and ascending
// references keep input order:
//
//   | keys with their end marks | reference | delimiter |
//
// Records that another sort takes with their keys or positions (record_form.hpp) are encoded whatever their order.
// Where the line is the key, it is not held twice; the fields of records of fixed length make one key:
//
//   | the line | end | position | delimiter |            and
//   | fields | end | position | the record, stuffed | delimiter |
//
// Bytes with which most keys begin are left out. A byte in front says that they were, or that the keys are less or
// greater.
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
#include "record/prefixed/prefixed_line.hpp"
#include "record/record_form.hpp"
#include "record/record_order.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/text/key_step.hpp"

namespace sortie {

/// The format without TextOrder that orders as `format` does. Format::descending reverses the whole order of keys, last
/// resort included; lines without keys are descending if it says so or TextOrder::last_resort_descending.
/// Precondition: RecordCodec::make(format) makes no keys.
Format plain_format(const Format& format);

/// Whether keys may find lines that are not of the form that they must have: see EncodedLines::unreadable(). Who
/// reads lines must be able to name them then.
bool may_refuse_lines(const Format& format);

/// Memory for the text of a key that does not lie in the line as it is.
struct KeyTextScratch {
  UnquotedRecord unquoted;
  std::string field;
  std::vector<std::byte> record;
};

class RecordCodec {
 public:
  /// The codec of a job. It makes no keys for records of fixed length, for arrays, and in "C" for lines without keys or
  /// whose first key is the whole line without any option; always if `form` is not plain. `unique`: only the keys
  /// count. Throws Error as validate() does if it makes keys. With TextOrder::locale, the C library's locale is copied
  /// here; later changes do not matter. `guess_subjects`: see guess_subjects.hpp; without them no guesses are counted.
  static RecordCodec make(const Format& format, bool unique, RecordForm form = RecordForm::kPlain,
                          std::vector<std::string> guess_subjects = {});

  /// The codec of records that `format`, which has no TextOrder, orders as they are.
  static RecordCodec plain(const Format& format);

  /// A codec that makes keys whatever the order. `grouping`: null if lines are not grouped; else its columns have been
  /// found, and lines are unique.
  RecordCodec(const Format& format, bool unique, const Grouping* grouping = nullptr,
              std::vector<std::string> guess_subjects = {});

  /// Whether sorted records have keys in front. Else they are as they were read.
  bool makes_keys() const { return makes_keys_; }

  /// A codec with the same keys and format whose encoded lines hold references to `lines`: whole lines that stay
  /// in memory as long as it is used. `in_common`: bytes with which most keys in front of lines begin, but less than
  /// the whole of any. Precondition: may_refer().
  RecordCodec referring_to(std::span<const std::byte> lines, std::string in_common = {}) const;
  bool refers() const { return lines_.data() != nullptr; }
  /// Whether lines are held as they are read, so that references can stand for them.
  bool may_refer() const;
  /// Precondition: refers().
  std::span<const std::byte> referred_lines() const { return lines_; }
  /// Whether lines with equal keys order by their bytes, as sorted_format() says. Encoded lines that are
  /// references do not do so by themselves.
  bool line_bytes_decide() const;

  /// Whether guesses about some keys or aggregates are counted: EncodedLines::guesses().
  bool may_guess() const;
  /// What a guess is about.
  const std::string& guess_subject(std::size_t number) const;

  /// The format of records before they get keys.
  const Format& input_format() const;

  /// The format of records while they are sorted: with keys, lines in the order of their bytes, ascending or
  /// descending.
  const Format& sorted_format() const;
  /// The order of records in that format, as far as bytes say it.
  const RecordOrder& order() const { return *order_; }

  /// Appends the encoded form of `line`, delimiter included, to `out`. `position`: less for lines that come earlier in
  /// the input, and below 2^56; for a line that is referred to, its offset. Thread-safe with an `out` per thread.
  void encode(Record line, std::uint64_t position, EncodedLines& out) const {
    if (refers()) {
      append_reference(line, position, out);
    } else {
      append_line(line, position, out);
    }
  }

  /// The line in an encoded one, its delimiter included. A record of CSV is as long as it was, but without the
  /// newlines within it. A line that is referred to stays where it is. Thread-safe. Precondition: it is referred to, or
  /// a line or a record of CSV.
  Record decode(Record encoded) const { return refers() ? referred_line(encoded) : held_line(encoded); }

  /// Whether decode() gives lines as they were: it need not restore them.
  bool keeps_lines_whole() const;

  /// Length of a sorted record as it was read. Thread-safe.
  std::size_t original_bytes(Record sorted) const { return makes_keys_ ? bytes_without_keys(sorted) : sorted.size(); }
  /// The same for many lines together.
  std::uint64_t original_bytes_of_all(std::span<const std::byte> encoded) const;

  /// Restores the record as it was read, within `sorted`, which is changed. Thread-safe.
  Record restore(std::span<std::byte> sorted) const { return makes_keys_ ? cut_keys_off(sorted) : Record(sorted); }

  /// The record as it was read. It lies in `sorted`, or in `scratch` until that is used again. Thread-safe.
  Record original(Record sorted, std::vector<std::byte>& scratch) const {
    return makes_keys_ ? without_keys(sorted, scratch) : sorted;
  }

  /// The keys in front of an encoded line. None are the beginning of others. Thread-safe.
  Record keys(Record encoded) const;

  /// The position of a line in the input, as encode() was told. Thread-safe. Precondition: made for
  /// RecordForm::kPositioned.
  std::uint64_t position(Record encoded) const;

  /// How many bytes lines with equal keys begin with alike: those of their keys, up to the first rank. `encoded` may
  /// be cut short behind any byte: then no more than there are. Thread-safe.
  std::size_t bytes_alike(Record encoded) const;

  /// Whether the keys of two sorted records are equal. Of an encoded line, only the keys in front count: what follows
  /// them differs between lines with equal keys, to keep them in order. Thread-safe.
  bool equal_keys(Record a, Record b) const {
    if (!makes_keys_) return order_->compare(a, b) == 0;
    // References are of one length, so that keys of lines of unequal length are unequal. Collated keys may be equal
    // then.
    if (refers() && !collates() && a.size() != b.size()) return false;
    return compare_equal(a, b);
  }

  /// A hash of the keys: records with equal keys have the same.
  std::uint64_t hash_of_keys(Record record) const {
    if (makes_keys_) return hash_record(keys(record)).low;
    return order_->plan().whole_line ? hash_record(record).low : order_->prefix(record);
  }

  /// Whether some keys have ranks: then bytes order encoded lines only as far as the first rank that is open.
  bool collates() const { return layout_.collated_count() > 0; }
  const KeyLayout& key_layout() const { return layout_; }
  /// Precondition: collates().
  const LocaleHandle& locale() const;

  /// What the state of a group is of, as encoded lines hold it; null if lines are not grouped.
  const GroupShape* group_shape() const;
  /// The state in an encoded line; valid as long as that and `scratch`. Thread-safe. Precondition: lines are grouped,
  /// as below.
  std::string_view group_state(Record encoded, std::vector<std::byte>& scratch) const;
  /// Replaces `out` by `encoded` with another state. Thread-safe.
  void put_group_state(Record encoded, const StateWriter& state, std::vector<std::byte>& out) const;
  /// What encode() makes of a grouped line, in two steps. Appends its keys and its position to `out`, which keeps its
  /// texts until the next one, and returns how many bytes the keys have.
  std::size_t append_group_head(Record line, std::uint64_t position, EncodedLines& out) const;
  /// Appends the state of the line, whose head has just been appended.
  void append_line_state(Record line, EncodedLines& out) const;
  /// Adds the line whose head has just been appended to `state` instead.
  void add_line(Record line, GroupState& state, EncodedLines& out) const;
  /// Appends a group whose lines were added: the head of the first one, and its state.
  void append_group(Record head, const GroupState& state, EncodedLines& out) const;
  /// Appends the encoded form of a group of which only the texts of its keys are known, as GroupState::key_texts()
  /// has them, or more. Thread-safe with an `out` per thread. Precondition: lines are grouped, without aggregates.
  void encode_group(std::string_view key_texts, EncodedLines& out) const;
  /// The names that a header, without its line end, gives the keys and aggregates: of a part of a field, that of the
  /// field.
  std::vector<std::string> names_of_groups(std::string_view header) const;

  /// Compares the keys of two encoded lines, that of the whole line as the last resort included, and returns the
  /// sign. Asks strcoll() where ranks are open. Thread-safe. Precondition: collates().
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
  template <class Byte>
  PrefixedLine<Byte> prefixed_line(std::span<Byte> encoded) const;
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
