// What decorators of one order share: its keys, ready to be made. For the sources of the line decorator alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "record/collation/first_level.hpp"
#include "record/json/json_finder.hpp"
#include "record/text/field_finder.hpp"
#include "record/text/key_step.hpp"
#include "record/text/key_writer.hpp"
#include "record/text/line_decorator.hpp"
#include "record/text/shuffle_key.hpp"

namespace sortie {

/// What decides once all keys are equal.
enum class LastResort { kBytes, kCollation, kNone };

/// What is between the keys and the delimiter of a decorated line.
enum class LineBody {
  kLine,      ///< the line as it is
  kOfLines,   ///< a record that may hold newlines, as one of CSV does, kept as a line
  kPrefixed,  ///< the payload of a length-prefixed record
  kStuffed,   ///< a record of any bytes: it is shuffled, or has fields
  kInKey,     ///< nothing: the only key is the line
};

/// A line without its delimiter.
inline std::string_view text_of_line(Record line) {
  return {reinterpret_cast<const char*>(line.data()), line.size() - 1};
}

struct LineDecorator::Impl {
  Impl(const Format& given, TextLocale locale, bool unique, RecordForm form);

  void append_keys(Record line, std::uint64_t place, DecoratedLines& out) const;
  void append_values(Record line, DecoratedLines& out) const;
  void append_fields(Record record, DecoratedLines& out) const;
  /// What of a line, without its end, keys are of.
  std::string_view text_of(Record line) const {
    const std::string_view text = text_of_line(line);
    return first_line_counts ? text.substr(0, text.find('\n')) : text;
  }
  bool has_place() const { return last_resort != LastResort::kBytes; }

  Format lines;
  LineBody body;
  bool first_line_counts;  // of records that a line begins
  std::optional<FirstLevel> first_level;
  KeySurroundings surroundings;
  LastResort last_resort;
  Format decorated;
  FieldFinder finder;
  JsonFinder json_finder;
  std::vector<KeyStep> steps;
  std::optional<ShuffleKey> shuffle;       // in place of all keys
  std::optional<RecordOrder> field_order;  // of records that are no lines, whose key they make
  std::optional<KeyWriter> line_writer;    // writes the collated key of the whole line
  bool line_descending;
  KeyLayout layout;
};

}  // namespace sortie
