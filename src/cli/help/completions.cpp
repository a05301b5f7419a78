#include "cli/help/help_text.hpp"
#include "option/option_spec.hpp"

namespace sortie::cli {
namespace {

using option::display_name;
using option::for_each_option;
using option::Spec;

/// What bash offers for the value of an option, as the options of its compgen.
std::string bash_candidates(const Spec& option) {
  if (option.values == "FILE") return "-f";
  if (option.values == "DIR") return "-d";
  return "-W '" + std::string(option.values) + "'";
}

void append_case(std::string& script, const Spec& option) {
  script.append("    ").append(display_name(option, " | ")).append(") ");
  // An optional value must be attached; the next word would be an operand.
  if (option.value_is_optional()) script += "[[ -z $attached ]] || ";
  script.append("{ _sortie_offer ").append(bash_candidates(option)).append("; return; } ;;\n");
}

std::string all_names() {
  std::string names;
  for_each_option([&](const Spec& option) {
    names.append(names.empty() ? "" : " ").append(display_name(option, " "));
    if (option.takes_value() && !option.value_is_optional() && !option.long_name.empty()) names += '=';
  });
  return names;
}

std::string quote_for_fish(std::string_view text) {
  std::string result = "'";
  for (const char character : text) {
    if (character == '\'' || character == '\\') result += '\\';
    result += character;
  }
  return result + "'";
}

/// How the value is offered. By itself, fish offers files.
std::string fish_candidates(const Spec& option) {
  if (!option.takes_value()) return "";
  if (option.values == "FILE") return " -r -F";
  if (option.values == "DIR") return " -x -a '(__fish_complete_directories)'";
  const std::string required = option.value_is_optional() ? " -f" : " -x";
  return option.values.empty() ? required : required + " -a " + quote_for_fish(option.values);
}

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

std::string action(const Spec& option) {
  if (option.values == "FILE") return "_files";
  if (option.values == "DIR") return "_directories";
  if (option.values.empty()) return " ";
  return "(" + escaped_for_zsh(option.values) + ")";
}

/// A specification for one of the option's names; `joint` says how the value follows it.
void append_name(std::string& script, const Spec& option, const std::string& name, std::string_view joint) {
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
  for_each_option([&](const Spec& option) {
    if (option.takes_value()) append_case(script, option);
  });
  script += "  esac\n  if [[ $current == -* ]]; then\n    _sortie_offer -W '" + all_names() +
            "'\n  else\n    _sortie_offer -f\n  fi\n}\n";
  return script + "complete -F _sortie sortie\n";
}

std::string fish_completion() {
  std::string script = "# fish completion of sortie\n";
  for_each_option([&](const Spec& option) {
    script += "complete -c sortie";
    if (option.short_name != '\0') script.append(" -s ").append(1, option.short_name);
    if (!option.long_name.empty()) script.append(" -l ").append(option.long_name);
    script.append(fish_candidates(option)).append(" -d ").append(quote_for_fish(option.brief())).append("\n");
  });
  return script;
}

std::string zsh_completion() {
  std::string script = "#compdef sortie\n_arguments -s -S";
  for_each_option([&](const Spec& option) {
    if (option.short_name != '\0') append_name(script, option, {'-', option.short_name}, "+");
    const std::string_view joint = option.value_is_optional() ? "=-" : "=";
    if (!option.long_name.empty()) append_name(script, option, "--" + std::string(option.long_name), joint);
  });
  return script + " \\\n  '*:file:_files'\n";
}

}  // namespace sortie::cli
