#include "cli/help/completions.hpp"
#include "cli/options/option_table.hpp"

namespace sortie::cli {
namespace {

std::string quote_for_fish(std::string_view text) {
  std::string result = "'";
  for (const char character : text) {
    if (character == '\'' || character == '\\') result += '\\';
    result += character;
  }
  return result + "'";
}

/// How the value is offered. By itself, fish offers files.
std::string fish_candidates(const OptionSpec& option) {
  if (!option.takes_value()) return "";
  if (option.values == "FILE") return " -r -F";
  if (option.values == "DIR") return " -x -a '(__fish_complete_directories)'";
  const std::string required = option.value_is_optional() ? " -f" : " -x";
  return option.values.empty() ? required : required + " -a " + quote_for_fish(option.values);
}

}  // namespace

std::string fish_completion() {
  std::string script = "# fish completion of sortie\n";
  for (const OptionSpec& option : option_table()) {
    script += "complete -c sortie";
    if (option.short_name != '\0') script.append(" -s ").append(1, option.short_name);
    if (!option.long_name.empty()) script.append(" -l ").append(option.long_name);
    script.append(fish_candidates(option)).append(" -d ").append(quote_for_fish(option.brief())).append("\n");
  }
  return script;
}

}  // namespace sortie::cli
