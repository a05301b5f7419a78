#include "cli/argument_parser.hpp"

#include <algorithm>

#include <boost/program_options.hpp>

#include "cli/usage_error.hpp"

namespace sortie::cli {
namespace {

namespace po = boost::program_options;

/// "output,o" or ",C": how Boost takes names.
std::string boost_name(const OptionSpec& option) {
  std::string name(option.long_name);
  if (option.short_name != '\0') name.append(",").append(1, option.short_name);
  return name;
}

/// What Boost calls the option when it has found it.
std::string boost_key(const OptionSpec& option) {
  return option.long_name.empty() ? std::string{'-', option.short_name} : std::string(option.long_name);
}

po::options_description describe_options() {
  po::options_description description;
  for (const OptionSpec& option : option_table()) {
    const std::string name = boost_name(option);
    if (!option.takes_value()) {
      description.add_options()(name.c_str(), "");
    } else if (option.value_is_optional()) {
      description.add_options()(name.c_str(), po::value<std::string>()->implicit_value(""), "");
    } else {
      description.add_options()(name.c_str(), po::value<std::string>(), "");
    }
  }
  return description;
}

const OptionSpec* find_option(const std::string& key) {
  for (const OptionSpec& option : option_table()) {
    if (boost_key(option) == key) return &option;
  }
  return nullptr;
}

/// The letter that is no option in joined short options; the word itself otherwise, without a value.
std::string unknown_part(const std::string& word) {
  if (word.starts_with("--")) return word.substr(0, word.find('='));
  for (const char letter : std::string_view(word).substr(1)) {
    const auto has_letter = [letter](const OptionSpec& option) { return option.short_name == letter; };
    if (std::ranges::none_of(option_table(), has_letter)) return {'-', letter};
  }
  return word;
}

std::string list_alternatives(const po::ambiguous_option& error) {
  std::string list;
  for (const std::string& name : error.alternatives()) list.append(list.empty() ? "--" : ", --").append(name);
  return list;
}

[[noreturn]] void throw_missing_value(const OptionSpec& option) {
  throw UsageError(display_name(option) + " needs a value: " + std::string(option.value_name()));
}

[[noreturn]] void throw_syntax_error(const po::invalid_command_line_syntax& error) {
  const std::string name = error.get_option_name();
  const OptionSpec* option = find_option(name.starts_with("--") ? name.substr(2) : name);
  if (option == nullptr) throw UsageError(error.what());
  if (error.kind() == po::invalid_syntax::extra_parameter) throw UsageError(display_name(*option) + " takes no value");
  throw_missing_value(*option);
}

po::parsed_options split(const std::vector<std::string>& words, const po::options_description& description) {
  try {
    return po::command_line_parser(words).options(description).style(po::command_line_style::unix_style).run();
  } catch (const po::unknown_option& error) {
    throw UsageError("unrecognised option '" + unknown_part(error.get_option_name()) + "'");
  } catch (const po::ambiguous_option& error) {
    throw UsageError("option '" + error.get_option_name() + "' is ambiguous: " + list_alternatives(error));
  } catch (const po::invalid_command_line_syntax& error) {
    throw_syntax_error(error);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
}

void append_option(const po::option& parsed, std::vector<Argument>& arguments) {
  const OptionSpec* option = find_option(parsed.string_key);
  if (option == nullptr) throw UsageError("unrecognised option '" + parsed.string_key + "'");
  const std::string value = parsed.value.empty() ? "" : parsed.value.front();
  // An optional value must be attached: Boost takes the next word too, which is an operand.
  if (option->value_is_optional() && parsed.original_tokens.size() > 1) {
    arguments.push_back({option, ""});
    arguments.push_back({nullptr, value});
    return;
  }
  if (option->takes_value() && !option->value_is_optional() && value.empty()) throw_missing_value(*option);
  arguments.push_back({option, value});
}

std::vector<Argument> parse_words(const std::vector<std::string>& words, const po::options_description& description) {
  std::vector<Argument> arguments;
  for (const po::option& parsed : split(words, description).options) {
    if (parsed.position_key < 0) {
      append_option(parsed, arguments);
    } else {
      arguments.push_back({nullptr, parsed.value.front()});
    }
  }
  return arguments;
}

bool ends_in_operand(const std::vector<std::string>& words, const po::options_description& description) {
  try {
    return parse_words(words, description).back().option == nullptr;
  } catch (const UsageError&) {
    return false;  // It ends in an option without its value; or the whole is wrong, as will be found.
  }
}

/// The words with "--" before the first operand.
std::vector<std::string> end_options_at_operand(std::vector<std::string> words,
                                                const po::options_description& description) {
  std::vector<std::string> head;
  for (const std::string& word : words) {
    if (word == "--") break;
    head.push_back(word);
    if (ends_in_operand(head, description)) {
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(head.size()) - 1, "--");
      break;
    }
  }
  return words;
}

}  // namespace

std::vector<Argument> parse_arguments(const std::vector<std::string>& words, bool operands_end_options) {
  const po::options_description description = describe_options();
  return parse_words(operands_end_options ? end_options_at_operand(words, description) : words, description);
}

}  // namespace sortie::cli
