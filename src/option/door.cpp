#include "option/door.hpp"

#include "base/quote.hpp"
#include "option/option_spec.hpp"

namespace sortie::option {
namespace {

std::string python_name(const Spec& spec, std::string_view value) {
  if (!spec.python.spelling.empty()) return std::string(spec.python.spelling);
  std::string name(spec.python.name);
  const bool shows_value = !value.empty() && spec.python.type != "bool";
  return shows_value ? name + "=\"" + std::string(value) + "\"" : name;
}

/// How the door has "top", "-t" or "keep=last".
std::string name_at(Door door, std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
  if (const Spec* const spec = door == Door::kPython ? find_spec(word) : nullptr) return python_name(*spec, value);
  if (door == Door::kLibrary) return std::string(word.starts_with('-') ? find_spec(word)->long_name : word);
  return (word.starts_with('-') ? "" : "--") + std::string(word);
}

}  // namespace

std::string with_names(Door door, std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t begin = text.find('{');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    result += text.substr(0, end == std::string_view::npos ? end : begin);
    if (end == std::string_view::npos) break;
    const std::string_view word = text.substr(begin + 1, end - begin - 1);
    // Names of parts have such a place, too: "part-{}", "part-{:04d}".
    const bool is_placeholder = word.empty() || word.front() == ':';
    result += is_placeholder ? std::string(text.substr(begin, end + 1 - begin)) : name_at(door, word);
    text.remove_prefix(end + 1);
  }
  return result;
}

void throw_as_door(Door door, const std::string& message) {
  if (door == Door::kPython) throw ArgumentError(message);
  throw Error(message);
}

void refuse(Door door, std::string_view text) { throw_as_door(door, with_names(door, text)); }

void refuse_together(Door door, std::string_view option, std::string_view other) {
  const auto shown = [](std::string_view name) {
    const bool is_of_several = name == "sets" || name == "parts";
    return is_of_several ? std::string(name) : "{" + std::string(name) + "}";
  };
  refuse(door, (door == Door::kPython || door == Door::kLibrary ? "" : "options ") + shown(option) + " and " +
                   shown(other) + " are incompatible: leave one of the two out");
}

std::string without_controls(std::string_view text) { return escape_controls(text); }

void refuse_value(Door door, const std::string& word, const std::string& name, const std::string& reason) {
  const std::string quoted = door == Door::kPython ? "'" + without_controls(word) + "'" : quote_word(word);
  throw_as_door(door, "invalid value " + quoted + " for " + name + ": " + reason);
}

}  // namespace sortie::option
