// Lines with fields, and the result of an order by fields. This oracle splits lines and compares fields.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "record/text/record_codec.hpp"
#include "support/record_data.hpp"

namespace sortie::test {

struct FieldKey {
  std::size_t field = 0;  // counted from 0; fields are separated by single blanks
  bool number = false;
  bool descending = false;
};

struct LineOrder {
  std::vector<FieldKey> keys;
  bool last_resort = true;
  bool unique = false;
  char delimiter = '\n';
};

/// One order for every way in which lines are encoded.
inline const std::vector<LineOrder> kOrdersOfEveryKind = {
    {{{0}}},
    {{{1, true}, {0, false, true}}},
    {{{2, false, true}}, false},
    {{{0, false, true}, {1, true, true}}, false},
    {{{0}}, true, true},
    {{{1, true, true}}, true, true},
};

inline Format format_of(const LineOrder& order) {
  Format format = parsed("lines");
  format.delimiter = order.delimiter;
  format.text.separator = ' ';
  format.text.last_resort = order.last_resort && !order.unique;
  for (const FieldKey& field : order.keys) {
    TextKey key;
    key.begin.field = field.field;
    key.end = TextPosition{field.field + 1, 0, false};
    key.kind = field.number ? TextKind::kNumber : TextKind::kText;
    key.descending = field.descending;
    format.text.keys.push_back(key);
  }
  return format;
}

inline std::string_view field_of(std::string_view line, std::size_t field) {
  line.remove_suffix(1);
  for (; field > 0; --field) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return {};
    line.remove_prefix(blank + 1);
  }
  return line.substr(0, line.find(' '));
}

/// Returns a negative number, zero or a positive number.
inline int compare_keys(const LineOrder& order, std::string_view a, std::string_view b) {
  for (const FieldKey& key : order.keys) {
    const std::string_view left = field_of(a, key.field);
    const std::string_view right = field_of(b, key.field);
    int result = left.compare(right);
    if (key.number) {
      const long long difference = std::atoll(std::string(left).c_str()) - std::atoll(std::string(right).c_str());
      result = difference < 0 ? -1 : (difference > 0 ? 1 : 0);
    }
    if (result != 0) return key.descending ? -result : result;
  }
  return 0;
}

/// The result that sorting the lines must give.
inline std::string sorted_lines(const LineOrder& order, std::string_view bytes) {
  std::vector<std::string_view> lines = records_of(layout_of(format_of(order)), bytes);
  const bool last_resort = order.last_resort && !order.unique;
  std::ranges::stable_sort(lines, [&](std::string_view a, std::string_view b) {
    const int result = compare_keys(order, a, b);
    if (result != 0 || !last_resort) return result < 0;
    return a.substr(0, a.size() - 1) < b.substr(0, b.size() - 1);
  });
  if (order.unique) {
    const auto same = [&](auto a, auto b) { return compare_keys(order, a, b) == 0; };
    lines.erase(std::unique(lines.begin(), lines.end(), same), lines.end());
  }
  return joined(lines);
}

/// Lines "word number text" with few words, a few hundred numbers and texts of any bytes.
inline std::string lines_with_fields(std::size_t count, std::uint64_t seed = 1, char delimiter = '\n') {
  std::mt19937_64 random(seed);
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) {
    bytes += std::string(random() % 3, 'w') + std::to_string(random() % 40) + ' ';
    bytes += std::to_string(static_cast<int>(random() % 600) - 300) + ' ';
    for (std::size_t length = random() % 24; length > 0; --length) {
      const char byte = static_cast<char>(random());
      bytes += byte == delimiter ? 'd' : byte;
    }
    bytes += delimiter;
  }
  return bytes;
}

/// The encoded lines, in the form in which they are sorted.
inline std::string encoded(const RecordCodec& codec, std::string_view lines, std::uint64_t first_place = 0) {
  EncodedLines out;
  for (const std::string_view line : records_of(layout_of(codec.sorted_format()), lines)) {
    codec.encode(as_bytes(line), first_place + static_cast<std::uint64_t>(line.data() - lines.data()), out);
  }
  return std::string(as_text(out.bytes()));
}

}  // namespace sortie::test
