#include "cli/help/completions.hpp"
#include "cli/options/option_table.hpp"

namespace sortie::cli {
namespace {

/// Escapes text for the single quotes and brackets of a specification of _arguments.
std::string escaped_for_zsh(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '\'') {
      result += "'\\''";
    } else {
      if (character == '[' || character == ']' || character == ':' || character == '\\') result += '\\';
      result += character;
    }
  }
  return result;
}

std::string action(const OptionSpec& option) {
  if (option.values == "FILE") return "_files";
  if (option.values == "DIR") return "_directories";
  if (option.values.empty()) return " ";
  return "(" + escaped_for_zsh(option.values) + ")";
}

/// A specification for one of the option's names; `joint` says how the value follows it.
void append_name(std::string& script, const OptionSpec& option, const std::string& name, std::string_view joint) {
  script.append(" \\\n  '*").append(name);
  if (option.takes_value()) script.append(joint);
  script.append("[").append(escaped_for_zsh(option.brief())).append("]");
  if (option.takes_value()) {
    script.append(option.value_is_optional() ? "::" : ":");
    script.append(escaped_for_zsh(option.value_name())).append(":").append(action(option));
  }
  script += "'";
}

}  // namespace

std::string zsh_completion() {
  std::string script = "#compdef sortie\n_arguments -s -S";
  for (const OptionSpec& option : option_table()) {
    if (option.short_name != '\0') append_name(script, option, {'-', option.short_name}, "+");
    const std::string_view joint = option.value_is_optional() ? "=-" : "=";
    if (!option.long_name.empty()) append_name(script, option, "--" + std::string(option.long_name), joint);
  }
  return script + " \\\n  '*:file:_files'\n";
}

}  // namespace sortie::cli
