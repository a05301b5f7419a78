#include "cli/help/completions.hpp"
#include "cli/options/option_table.hpp"

namespace sortie::cli {
namespace {

/// What bash offers for the value of an option, as the options of its compgen.
std::string bash_candidates(const OptionSpec& option) {
  if (option.values == "FILE") return "-f";
  if (option.values == "DIR") return "-d";
  return "-W '" + std::string(option.values) + "'";
}

void append_case(std::string& script, const OptionSpec& option) {
  script.append("    ").append(display_name(option, " | ")).append(") ");
  // An optional value must be attached; the next word would be an operand.
  if (option.value_is_optional()) script += "[[ -z $attached ]] || ";
  script.append("{ _sortie_offer ").append(bash_candidates(option)).append("; return; } ;;\n");
}

std::string all_names() {
  std::string names;
  for (const OptionSpec& option : option_table()) {
    names.append(names.empty() ? "" : " ").append(display_name(option, " "));
    if (option.takes_value() && !option.value_is_optional() && !option.long_name.empty()) names += '=';
  }
  return names;
}

}  // namespace

std::string bash_completion() {
  std::string script = R"(# bash completion of sortie
_sortie_offer() {
  mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
  case $1 in
    -f | -d) compopt -o filenames 2>/dev/null ;;
  esac
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *[=:] ]] || compopt -o nospace 2>/dev/null
}

_sortie() {
  local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} attached=
  # "--option=value" is three words.
  if [[ $current == = ]]; then
    current= attached=1
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]} attached=1
  fi
  case $option in
)";
  for (const OptionSpec& option : option_table()) {
    if (option.takes_value()) append_case(script, option);
  }
  script += "  esac\n  if [[ $current == -* ]]; then\n    _sortie_offer -W '" + all_names() +
            "'\n  else\n    _sortie_offer -f\n  fi\n}\n";
  return script + "complete -F _sortie sortie\n";
}

}  // namespace sortie::cli
