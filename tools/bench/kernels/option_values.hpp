// Values of the options of benches: numbers and lists of them.
#pragma once

#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include <sortie/error.hpp>

namespace sortie::bench {

inline std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// Throws Error naming the option unless `text` is a number from `low` to `high`.
inline unsigned parse_number(const std::string& text, unsigned low, unsigned high, const std::string& option) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    throw Error(option + ": '" + text + "' is not a number from " + std::to_string(low) + " to " +
                std::to_string(high));
  }
  return value;
}

/// The items of a list, or `all` for the word all.
template <class Item, class Parse>
std::vector<Item> parse_list(const std::string& list, const std::vector<Item>& all, const Parse& parse) {
  if (list == "all") return all;
  std::vector<Item> items;
  for (const std::string& part : split(list)) items.push_back(parse(part));
  return items;
}

}  // namespace sortie::bench
