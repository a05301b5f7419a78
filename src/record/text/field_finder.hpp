// Finds the text of keys in lines. It scans a line once, up to the last field that any key needs, and remembers where
// the fields end. Records of CSV that hold quotes are unquoted first. The record codec asks it for each key.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <sortie/text_order.hpp>

#include "record/csv/quoted_records.hpp"
#include "record/text/text_locale.hpp"

namespace sortie {

class FieldFinder {
 public:
  /// Fields whose ends are remembered; keys in fields beyond are found by scanning on from the last of these.
  static constexpr std::size_t kRemembered = 32;

  /// Where the first fields of one line end.
  struct Fields {
    std::string_view line;                      ///< the line, without the quotes of CSV
    const UnquotedRecord* unquoted = nullptr;   ///< holds the line and all ends, if it had quotes
    std::size_t count = 0;                      ///< how many ends; a field that ends with the line has none
    std::array<std::size_t, kRemembered> ends;  ///< first `count`: offset of the separator or blank behind a field
  };

  FieldFinder(const TextOrder& order, const TextLocale& locale);

  /// `line` is without its delimiter. Precondition: not of an order of CSV.
  void find(std::string_view line, Fields& fields) const {
    fields.line = line;
    fields.count = 0;
    if (wanted_ > 0) scan(0, wanted_, fields);
  }

  /// The same for any order. `unquoted` takes a record without its quotes, and must stay while `fields` is used.
  void find(std::string_view line, Fields& fields, UnquotedRecord& unquoted) const {
    csv_ ? find_in_record(line, fields, unquoted) : find(line, fields);
  }

  /// Whether the line has a field of this number, counted from 0. Precondition: a key of the order needs it, or one
  /// behind it.
  bool has_field(const Fields& fields, std::size_t field) const {
    return field == 0 || end_of_field(fields, field - 1) != kEndOfLine;
  }

  /// The text of a key of the order; empty if it ends before it begins or lies beyond the line.
  std::string_view key_text(const Fields& fields, const TextKey& key) const {
    const bool is_of_whole_fields = !key.begin.skip_blanks && key.begin.byte == 0 && key.end && key.end->byte == 0;
    if (!is_of_whole_fields || key.end->field <= key.begin.field || key.end->field > fields.count)
      return any_key_text(fields, key);
    // Most keys: the ends of their fields are remembered.
    const std::size_t begin = key.begin.field == 0 ? 0 : fields.ends[key.begin.field - 1] + separator_.size();
    return {fields.line.data() + begin, fields.ends[key.end->field - 1] - begin};
  }

 private:
  // Stands for the end of a field that no separator ends. Not an optional: GCC 12 returns one through memory, which
  // costs 6 ns a call.
  static constexpr std::size_t kEndOfLine = static_cast<std::size_t>(-1);

  enum class Separation { kByte, kBytes, kUsualBlanks, kOtherBlanks };

  template <class EndsAt>
  static void scan_blocks(std::size_t from, std::size_t wanted, EndsAt&& ends_at, Fields& fields);
  void find_in_record(std::string_view record, Fields& fields, UnquotedRecord& unquoted) const;
  void scan(std::size_t from, std::size_t wanted, Fields& fields) const;
  void scan_for_bytes(std::size_t from, std::size_t wanted, Fields& fields) const;
  std::string_view any_key_text(const Fields& fields, const TextKey& key) const;
  std::size_t end_of_field(const Fields& fields, std::size_t field) const;
  std::size_t end_of_far_field(const Fields& fields, std::size_t field) const;
  std::size_t offset_of(const Fields& fields, const TextPosition& position) const;
  std::size_t end_of_key(const Fields& fields, const TextPosition& position) const;

  TextLocale::ByteSet blank_;
  Separation separation_;
  std::string separator_;  // empty: fields begin with blanks
  std::size_t wanted_ = 0;
  bool csv_;
  CsvSyntax syntax_;
  std::size_t unquoted_wanted_ = 0;  // fields to unquote in a record; kAllFields if some key needs all of it
};

}  // namespace sortie
