// Values of JSON that are checked as they are read, for the files and plans of shards (shard_json.cpp, slice_json.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/checksum.hpp"
#include "base/json.hpp"
#include "base/quote.hpp"

namespace sortie::checked_json {

// Each function throws Error that ends a message beginning with "it holds".

/// Bytes in base64.
std::string bytes_of(const Json& json);
/// A count, a length or an offset.
std::uint64_t count_of(const Json& json);
/// A number in hexadecimal digits.
std::uint64_t hex_of(const Json& json);
Checksum checksum_of(const Json& json);

/// Nothing for null.
template <class Value>
std::optional<Value> optional_of(const Json& json, Value (*value_of)(const Json&)) {
  return json.is_null() ? std::nullopt : std::optional(value_of(json));
}

template <class Value>
std::vector<Value> list_of(const Json& json, Value (*value_of)(const Json&)) {
  if (!json.is_array()) throw Error("something that is no list in place of one");
  std::vector<Value> values;
  for (const Json& item : json) values.push_back(value_of(item));
  return values;
}

/// Calls read(json) for the text. Whatever is wrong with it becomes an Error that names the file.
template <class Read>
auto parse(const std::string& text, const std::string& file, const Read& read) {
  const auto refuse = [&](const char* why) -> Error {
    return Error("file " + quote_path(file) + " cannot be used: " + escape_unprintable(why));
  };
  try {
    return read(parse_json(text));
  } catch (const Json::parse_error&) {
    throw refuse("it is no JSON");
  } catch (const Json::out_of_range&) {
    throw refuse("it lacks something that must be in it");
  } catch (const Json::exception&) {
    throw refuse("something in it is of another kind than it must be");
  } catch (const Error& error) {
    throw refuse((std::string("it holds ") + error.what()).c_str());
  }
}

}  // namespace sortie::checked_json
