// Parses any words as a command line. Either one of the two kinds of error refuses them, or they are understood, and
// then they are understood in the same way when written out again with all options in full.
//
//   | 0: sortie, else: sort | words, each ended by NUL |
#include <optional>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "cli/options/argument_parser.hpp"
#include "cli/options/command_line.hpp"
#include "fuzz/fuzz_target.hpp"
#include "option/door.hpp"

namespace sortie::cli {
namespace {

using Words = std::vector<std::string>;

/// Whether the argument would make the parser read a file, which is not tested here.
bool names_a_file(const Argument& argument) {
  return argument.option != nullptr &&
         (argument.option->long_name == "files0-from" || argument.option->long_name == "random-source");
}

Words written_in_full(const Argument& argument) {
  if (!argument.option->takes_value()) return {argument.name};
  if (!argument.option->value_is_optional()) return {argument.name, argument.value};
  // "--check=" has a value, an empty one, and is refused.
  return {argument.has_value ? argument.name + "=" + argument.value : argument.name};
}

/// The same words in the longest form, operands last. Nothing if they are refused, if files would be read, or if there
/// is an obsolete key, which has no other form.
std::optional<Words> written_in_full(const Words& words, const ArgumentRules& rules) {
  Words full;
  Words operands = {"--"};
  ArgumentReader reader(words, rules);
  try {
    while (const std::optional<Argument> argument = reader.next()) {
      if (argument->kind == Argument::Kind::kObsoleteKey || names_a_file(*argument)) return std::nullopt;
      const bool operand = argument->kind == Argument::Kind::kOperand;
      const Words form = operand ? Words{argument->value} : written_in_full(*argument);
      Words& target = operand ? operands : full;
      target.insert(target.end(), form.begin(), form.end());
    }
  } catch (const option::UsageError&) {
    return std::nullopt;
  }
  full.insert(full.end(), operands.begin(), operands.end());
  return full;
}

/// Removes the seed of a random order, which differs each time.
Format without_seed(Format format) {
  format.text.random_seed = {};
  return format;
}

bool equal(const CommandLine& a, const CommandLine& b) {
  const SortOptions& left = a.options;
  const SortOptions& right = b.options;
  return a.action == b.action && a.print_stats == b.print_stats && left.stats_json_path == right.stats_json_path &&
         left.report_path == right.report_path && a.warnings == b.warnings &&
         without_seed(left.format) == without_seed(right.format) && left.inputs == right.inputs &&
         left.output == right.output && left.header_lines == right.header_lines && left.unique == right.unique &&
         left.memory_bytes == right.memory_bytes && left.scratch_directories == right.scratch_directories &&
         left.threads == right.threads && left.devices == right.devices && left.compression == right.compression;
}

std::optional<CommandLine> parse(const Words& words, std::string_view program) {
  try {
    return parse_command_line(words, program);
  } catch (const option::UsageError&) {
  } catch (const Error&) {
  }
  return std::nullopt;
}

void check(fuzz::InputReader input) {
  const char* const program = input.byte() == 0 ? "sortie" : "sort";
  Words words;
  while (!input.rest().empty()) words.emplace_back(input.take_until('\0'));
  const std::optional<Words> full = written_in_full(words, ArgumentRules::from_environment(program));
  if (!full) return;
  const std::optional<CommandLine> command = parse(words, program);
  const std::optional<CommandLine> again = parse(*full, program);
  fuzz::require(command.has_value() == again.has_value(), "a command line in full is taken as the short one");
  if (command) fuzz::require(equal(*command, *again), "a command line in full means the same");
}

}  // namespace
}  // namespace sortie::cli

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::cli::check({data, size});
  return 0;
}
