// The common parts of the three tools' command lines: --help, --help=man, --version, operands, and errors that end in
// one line and exit status 2. Called by each tool's main() and option parser.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

namespace sortie::tools {

struct CommandExample {
  std::string command;
  std::string meaning;
};

/// The command line of one tool: the options that --help shows, and operands by name, in order.
struct CommandLine {
  std::string name;         ///< "sortie-gen"
  std::string purpose;      ///< a few words, for the head of the manual page
  std::string form;         ///< what follows the name: "[OPTION]... RECORDS FILE"
  std::string summary;      ///< what the tool does, in one paragraph
  std::string exit_status;  ///< what each status means, in one paragraph
  std::string environment;  ///< which variables count, in one paragraph
  std::string files;        ///< what the tool reads and writes beside its operands, in one paragraph
  std::vector<CommandExample> examples;
  boost::program_options::options_description options;
  boost::program_options::options_description operands;  ///< not shown by --help, since `form` names them
  boost::program_options::positional_options_description operand_order;
};

/// Parses the arguments. Adds --help, which takes the word man, too, and --version, and answers them itself; then it
/// returns nothing, and nothing is left to do. Throws Error with a hint to --help if the arguments make no sense.
std::optional<boost::program_options::variables_map> parse_command_line(CommandLine command_line, int argc,
                                                                        const char* const* argv);

/// The operand `name`. Throws Error naming it if it was not given.
std::string required_operand(const boost::program_options::variables_map& values, const std::string& name,
                             const std::string& tool);

/// Parses a decimal number of at most 64 bits. Throws Error naming `what`.
std::uint64_t parse_count(std::string_view text, std::string_view what);

/// Parses a number of threads; 0 means all that the process may use.
unsigned parse_threads(std::string_view text);

/// Runs `body` and returns its exit status; an exception becomes one line on standard error and status 2.
/// `memory_remedy` says what helps this tool when memory is short.
int run_tool(std::string_view name, std::string_view memory_remedy, const std::function<int()>& body) noexcept;

}  // namespace sortie::tools
