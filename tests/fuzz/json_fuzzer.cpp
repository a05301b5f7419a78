// Takes any text as a line of JSON. What another parser takes for JSON is JSON, and the other way round, as far as both
// can be compared; a path leads to the value that it has there; and keys depend on no blanks around a line.
//
//   | text, ended by NUL | text |
#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <sortie/text_keys.hpp>

#include "fuzz/fuzz_target.hpp"
#include "record/json/json_finder.hpp"
#include "record/json/json_text.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {
namespace {

using fuzz::require;
using Json = nlohmann::json;

Format format_of() {
  Format format;
  format.text.json = true;
  format.text.last_resort = false;
  for (const char* const path : {".a", ".a.b", ".a[1]", "."}) {
    format.text.keys.push_back(make_text_key(parse_json_key(path), {}));
  }
  return format;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

const Json* value_at(const Json& text, std::size_t path) {
  if (path == 3) return &text;
  if (!text.is_object() || !text.contains("a")) return nullptr;
  const Json& a = text["a"];
  if (path == 0) return &a;
  if (path == 1) return a.is_object() && a.contains("b") ? &a["b"] : nullptr;
  return a.is_array() && a.size() > 1 ? &a[1] : nullptr;
}

void check_value(const JsonValue& value, const Json* expected) {
  if (expected == nullptr || expected->is_null())
    return require(value.type == JsonType::kMissing, "a value is missing");
  if (expected->is_boolean()) {
    return require(value.type == (expected->get<bool>() ? JsonType::kTrue : JsonType::kFalse),
                   "a value is true or not");
  }
  if (expected->is_number()) return require(value.type == JsonType::kNumber, "a value is a number");
  if (expected->is_array()) return require(value.type == JsonType::kArray, "a value is an array");
  if (expected->is_object()) return require(value.type == JsonType::kObject, "a value is an object");
  std::string text;
  append_unescaped(value.text, text);
  require(value.type == JsonType::kString && text == expected->get<std::string>(), "a string has its text");
}

/// Levels of the other parser are limited by its stack, some of its numbers overflow, and NUL ends its text.
bool suits_other_parser(std::string_view line) {
  return is_ascii(line) && line.find('\0') == line.npos &&
         std::ranges::count(line, '[') + std::ranges::count(line, '{') < 500 &&
         line.find_first_of("eE") == std::string_view::npos && line.find("\\u") == std::string_view::npos;
}

void check_line(const JsonFinder& finder, std::string_view line) {
  std::vector<JsonValue> values(4);
  const bool is_json = !finder.find(line, values).is_one();
  if (!suits_other_parser(line)) return;
  const Json expected = Json::parse(line, nullptr, false);
  require(is_json != expected.is_discarded(), "a text is JSON or not");
  if (!is_json) return;
  for (std::size_t path = 0; path < values.size(); ++path) check_value(values[path], value_at(expected, path));
}

std::string encoded(const RecordCodec& codec, std::string_view line) {
  const std::string record = std::string(line) + "\n";
  EncodedLines out;
  codec.encode(fuzz::as_bytes(record), 0, out);
  const auto keys = codec.keys(out.bytes());
  return {reinterpret_cast<const char*>(keys.data()), keys.size()};
}

void check(fuzz::InputReader input) {
  static const Format format = format_of();
  static const JsonFinder finder(format.text);
  static const RecordCodec codec(format, false);
  const std::string a(input.take_until('\0'));
  const std::string b(input.rest());
  if (a.find('\n') != a.npos || b.find('\n') != b.npos) return;
  check_line(finder, a);
  check_line(finder, b);
  const std::string key = encoded(codec, a);
  require(key.find('\n') == key.npos, "a key holds no delimiter");
  require(key == encoded(codec, " " + a + "\t"), "blanks around a text do not count");
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check({data, size});
  return 0;
}
