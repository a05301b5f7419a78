// Formats, records of every format as bytes, and the result of a stable sort of them. For the tests of entries, of the
// CPU engine and of whole sorts.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/record_order.hpp"
#include "support/distributions.hpp"
#include "support/text_bytes.hpp"

namespace sortie::test {

/// The records in `bytes`, delimiters included.
inline std::vector<std::string_view> records_of(const Layout& layout, std::string_view bytes) {
  std::vector<std::string_view> records;
  while (!bytes.empty()) {
    const std::size_t length = layout.delimited() ? bytes.find(layout.delimiter) + 1 : layout.record_bytes;
    records.push_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return records;
}

inline std::string joined(const std::vector<std::string_view>& records) {
  std::string bytes;
  for (const std::string_view record : records) bytes += record;
  return bytes;
}

template <class Number>
std::strong_ordering compare_numbers(std::string_view a, std::string_view b) {
  return std::strong_order(load_as<Number>(a.data()), load_as<Number>(b.data()));
}

/// Compares numbers as C++ types and lines as text. Records with fields are compared by their key plan, which has
/// tests of its own.
inline std::strong_ordering reference_order(const Format& format, const RecordOrder& order, std::string_view a,
                                            std::string_view b) {
  if (format.kind == RecordKind::kLines) return a.substr(0, a.size() - 1) <=> b.substr(0, b.size() - 1);
  if (format.kind == RecordKind::kFixed) return order.compare(as_bytes(a), as_bytes(b)) <=> 0;
  const bool wide = format.record_bytes == 8;
  switch (format.fields[0].kind) {
    case FieldKind::kSigned:
      return wide ? compare_numbers<std::int64_t>(a, b) : compare_numbers<std::int32_t>(a, b);
    case FieldKind::kFloat:
      return wide ? compare_numbers<double>(a, b) : compare_numbers<float>(a, b);
    default:
      return wide ? compare_numbers<std::uint64_t>(a, b) : compare_numbers<std::uint32_t>(a, b);
  }
}

/// The result that sorting `bytes` must give. With `unique`, only the first of records with equal keys remains.
inline std::string stable_sorted(const Format& format, std::string_view bytes, bool unique = false) {
  const RecordOrder order(format);
  std::vector<std::string_view> records = records_of(order.layout(), bytes);
  // Key plans reverse fixed-length records by themselves.
  const bool turn = format.descending && format.kind != RecordKind::kFixed;
  const auto compare = [&](std::string_view a, std::string_view b) {
    return turn ? reference_order(format, order, b, a) : reference_order(format, order, a, b);
  };
  std::ranges::stable_sort(records, [&](std::string_view a, std::string_view b) { return compare(a, b) < 0; });
  if (unique) {
    const auto same = [&](auto a, auto b) { return compare(a, b) == 0; };
    records.erase(std::unique(records.begin(), records.end(), same), records.end());
  }
  return joined(records);
}

/// Cuts `bytes` into `count` ranges at random positions and sorts each. Merging them stably must give the same as
/// sorting all of `bytes`.
inline std::vector<std::string> sorted_ranges(const Format& format, std::string_view bytes, std::size_t count,
                                              std::uint64_t seed = 1) {
  const auto records = records_of(layout_of(format), bytes);
  std::mt19937_64 random(seed);
  std::vector<std::size_t> cuts = {0, records.size()};
  while (cuts.size() <= count) cuts.push_back(random() % (records.size() + 1));
  std::ranges::sort(cuts);
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < count; ++i) {
    std::string part;
    for (std::size_t r = cuts[i]; r < cuts[i + 1]; ++r) part += records[r];
    ranges.push_back(stable_sorted(format, part));
  }
  return ranges;
}

inline std::vector<std::span<const std::byte>> spans_of(const std::vector<std::string>& ranges) {
  std::vector<std::span<const std::byte>> spans;
  for (const std::string& range : ranges) spans.push_back(as_bytes(range));
  return spans;
}

inline Format parsed(const std::string& format, const std::vector<std::string>& fields = {}, bool descending = false) {
  Format result = parse_format(format);
  for (const std::string& field : fields) result.fields.push_back(parse_field(field));
  result.descending = descending;
  return result;
}

/// A format for a test with parameters, and its name in the name of the test.
struct NamedFormat {
  std::string name;
  Format format;
};

/// Lines and gensort records, ascending and descending: tests of many formats begin with these.
inline std::vector<NamedFormat> common_formats() {
  Format zero = parsed("lines");
  zero.delimiter = '\0';
  return {
      {"Lines", parsed("lines")},     {"LinesDescending", parsed("lines", {}, true)},     {"LinesZeroTerminated", zero},
      {"Gensort", parsed("gensort")}, {"GensortDescending", parsed("gensort", {}, true)},
  };
}

/// Fills in a key of eight bytes that mostly ties in all fields but the last.
inline void fill_fields(const Format& format, std::uint64_t key, char* record) {
  for (std::size_t i = 0; i < format.fields.size(); ++i) {
    const Field& field = format.fields[i];
    const std::uint64_t value = i + 1 < format.fields.size() ? scramble(key % (i + 3)) : scramble(key);
    for (std::size_t at = 0; at < field.length; ++at) {
      record[field.offset + at] = static_cast<char>(value >> (8 * (at % 8)));
    }
  }
}

/// `count` records whose keys follow the distribution. Bytes that no field covers tell records with equal keys apart,
/// as far as there is room.
inline std::string make_records(const Format& format, Distribution distribution, std::size_t count,
                                std::uint64_t seed = 1) {
  std::string bytes;
  const std::vector<std::uint64_t> keys = make_keys<std::uint64_t>(distribution, count, seed);
  for (std::size_t i = 0; i < count; ++i) {
    if (format.kind == RecordKind::kLines) {
      const std::string digits = std::to_string(keys[i]);
      bytes += digits.substr(0, 1 + keys[i] % digits.size()) + format.delimiter;
      continue;
    }
    std::string record(format.record_bytes, '\0');
    const std::string number = std::to_string(i);
    number.copy(record.data() + record.size() - std::min(record.size(), number.size()), record.size());
    if (format.kind == RecordKind::kArray) {
      std::memcpy(record.data(), &keys[i], record.size());
    } else {
      fill_fields(format, keys[i], record.data());
    }
    bytes += record;
  }
  return bytes;
}

/// Every special value of a float array, among other values, several times.
template <class Number>
std::string special_floats(std::size_t repeats) {
  using Limits = std::numeric_limits<Number>;
  const std::vector<Number> values = {0.0,
                                      Number(-0.0),
                                      1.0,
                                      -1.0,
                                      Limits::infinity(),
                                      -Limits::infinity(),
                                      Limits::quiet_NaN(),
                                      -Limits::quiet_NaN(),
                                      Limits::denorm_min(),
                                      -Limits::denorm_min(),
                                      Limits::max(),
                                      Limits::lowest()};
  std::string bytes;
  for (std::size_t i = 0; i < repeats * values.size(); ++i) {
    const Number value = values[i * 7 % values.size()];
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

/// Lines that differ only after `prefix_bytes` equal ones.
inline std::string lines_with_prefix(std::size_t count, std::size_t prefix_bytes, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) {
    bytes += std::string(prefix_bytes, 'p') + std::to_string(random() % (count + 1)) + "\n";
  }
  return bytes;
}

/// Lines each of which begins others: a, aa, aaa, ... in random order.
inline std::string lines_of_one_letter(std::size_t count, std::size_t longest, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += std::string(random() % (longest + 1), 'a') + "\n";
  return bytes;
}

/// Short lines of NUL, 0xff, letters and nothing at all: padding must not be taken for contents.
inline std::string lines_of_extreme_bytes(std::size_t count, char delimiter = '\n', std::uint64_t seed = 1) {
  const std::string letters = delimiter == '\0' ? std::string("\x01\n\xff") + "a" : std::string("\0\x01\xff", 3) + "a";
  std::mt19937_64 random(seed);
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t length = random() % 20; length > 0; --length) bytes += letters[random() % letters.size()];
    bytes += delimiter;
  }
  return bytes;
}

}  // namespace sortie::test
