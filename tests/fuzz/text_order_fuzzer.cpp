// Takes any lines and any order by keys. Encoded lines compare by their bytes as the plain reference compares the
// lines, and the lines can be restored from them.
//
//   first line: -kKEYDEF -tSEP -s -u -z --csv -LETTERS ..., as sort takes them; then the lines
#include <cstring>
#include <string>
#include <vector>

#include <sortie/text_keys.hpp>

#include "fuzz/fuzz_target.hpp"
#include "fuzz/reference_order.hpp"
#include "record/csv/csv_oracle.hpp"
#include "record/text/record_codec.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using fuzz::Order;
using fuzz::require;
using test::as_bytes;

constexpr std::size_t kMostLines = 12;

struct Request {
  Format format;
  bool unique = false;
};

Request read_request(std::string_view words) {
  fuzz::InputReader reader(reinterpret_cast<const std::uint8_t*>(words.data()), words.size());
  Request request;
  OrderingOptions global;
  std::vector<KeyDefinition> keys;
  bool stable = false;
  bool csv = false;
  std::string separator;
  while (!reader.rest().empty()) {
    const std::string_view word = reader.take_until(' ');
    if (word.starts_with("-k")) {
      keys.push_back(parse_key_definition(word.substr(2)));
    } else if (word.starts_with("-t") && word.size() >= 3) {
      separator = word.substr(2);
    } else if (word == "--csv") {
      csv = true;
    } else if (word == "-z") {
      request.format.delimiter = '\0';
    } else {
      for (const char letter : word) {
        stable |= letter == 's';
        request.unique |= letter == 'u';
        global.set(letter);
      }
    }
  }
  TextOrder& order = request.format.text;
  order = make_text_order(keys, global);
  order.separator = csv && separator.empty() ? "," : separator;
  order.csv = csv;
  order.last_resort = !stable && !request.unique;
  return request;
}

/// A line as the reference reads it: the text that holds the keys, and where its fields end.
struct Line {
  std::string_view whole;  // includes the delimiter
  std::string text;
  std::vector<std::size_t> field_ends;
  std::string encoded;
};

std::vector<Line> read_records(std::string_view text, char separator) {
  std::vector<Line> lines;
  for (const test::CsvRecord& record : test::read_csv(text, separator).records) {
    if (lines.size() == kMostLines) break;
    Line& line = lines.emplace_back();
    line.whole = record.raw;
    for (const std::string& value : record.values) {
      if (&value != &record.values.front()) {
        line.field_ends.push_back(line.text.size());
        line.text += separator;
      }
      line.text += value;
    }
  }
  return lines;
}

std::vector<Line> read_lines(std::string_view text, const Format& format) {
  if (format.text.csv) return read_records(text, format.text.separator.front());
  std::vector<Line> lines;
  while (lines.size() < kMostLines) {
    const std::size_t end = text.find(format.delimiter);
    if (end == std::string_view::npos) return lines;
    Line& line = lines.emplace_back();
    line.whole = text.substr(0, end + 1);
    line.text = text.substr(0, end);
    line.field_ends = fuzz::field_ends(line.text, format.text.separator);
    text.remove_prefix(end + 1);
  }
  return lines;
}

Order compare_keys(const TextOrder& order, const Line& a, const Line& b) {
  for (const TextKey& key : order.keys) {
    const std::size_t separator_bytes = order.separator.size();
    const auto compared = fuzz::compare_texts(key, fuzz::key_text(a.text, a.field_ends, key, separator_bytes),
                                              fuzz::key_text(b.text, b.field_ends, key, separator_bytes));
    if (compared != 0) return key.descending ? 0 <=> compared : compared;
  }
  if (!order.keys.empty() || !order.csv) return Order::equivalent;
  const Order whole = a.text.compare(b.text) <=> 0;
  return order.last_resort_descending ? 0 <=> whole : whole;
}

/// Precondition: `a` comes before `b` in the input.
Order compare_lines(const Request& request, const Line& a, const Line& b) {
  const TextOrder& order = request.format.text;
  const Order keys = compare_keys(order, a, b);
  if (keys != 0) return keys;
  if (!order.last_resort || request.unique || order.csv) return Order::less;
  const Order whole = a.text.compare(b.text) <=> 0;
  return order.last_resort_descending ? 0 <=> whole : whole;
}

bool has_kind(const TextOrder& order, TextKind kind) {
  return std::ranges::any_of(order.keys, [&](const TextKey& key) { return key.kind == kind; });
}

/// NaNs compare by their bytes, which is too odd for the reference.
bool may_hold_nan(const Line& line) { return line.text.find_first_of("nN") != std::string::npos; }

Order compare_encoded(const Format& encoded, const Line& a, const Line& b) {
  const std::string_view left = std::string_view(a.encoded).substr(0, a.encoded.size() - 1);
  const std::string_view right = std::string_view(b.encoded).substr(0, b.encoded.size() - 1);
  return encoded.descending ? right.compare(left) <=> 0 : left.compare(right) <=> 0;
}

void encode(const RecordCodec& codec, const Format& format, std::vector<Line>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EncodedLines memory;
    codec.encode(as_bytes(lines[i].whole), 1000 * i, memory);
    lines[i].encoded = as_text(memory.bytes());
    std::string copy = lines[i].encoded;
    require(copy.find(format.delimiter) == copy.size() - 1, "a decorated line is one line");
    require(as_text(codec.restore(test::as_writable(copy))) == lines[i].whole, "the line comes back as it was");
  }
}

/// Precondition: `a` comes before `b` in the input.
void check_pair(const Request& request, const RecordCodec& codec, const Line& a, const Line& b) {
  const bool equal = codec.equal_keys(as_bytes(a.encoded), as_bytes(b.encoded));
  require(equal == (compare_keys(request.format.text, a, b) == 0), "keys are equal where their texts are");
  if (has_kind(request.format.text, TextKind::kRandom)) return;
  const Order encoded = compare_encoded(codec.sorted_format(), a, b);
  require(encoded == compare_lines(request, a, b), "decorated lines are in the order of the lines");
}

void check(fuzz::InputReader input) {
  const Request request = read_request(input.take_until('\n'));
  const RecordCodec codec = RecordCodec::make(request.format, request.unique);
  if (!codec.makes_keys()) return;
  std::vector<Line> lines = read_lines(input.rest(), request.format);
  encode(codec, request.format, lines);
  const bool nans = has_kind(request.format.text, TextKind::kGeneralNumber);
  for (std::size_t a = 0; a < lines.size(); ++a) {
    for (std::size_t b = a + 1; b < lines.size(); ++b) {
      if (nans && (may_hold_nan(lines[a]) || may_hold_nan(lines[b]))) continue;
      check_pair(request, codec, lines[a], lines[b]);
    }
  }
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sortie::fuzz::check_unless_refused(sortie::check, {data, size});
}
