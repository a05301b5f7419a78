// The common parts of the three tools' command lines: --help, --version, operands, and errors that end in one line and
// exit status 2. Called by each tool's main() and option parser.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <boost/program_options.hpp>

namespace sortie::tools {

/// The command line of one tool: the options that --help shows, and operands by name, in order.
struct CommandLine {
  std::string name;      ///< "sortie-gen"
  std::string synopsis;  ///< "sortie-gen [OPTION]... RECORDS FILE"
  std::string summary;   ///< what the tool does, for --help
  boost::program_options::options_description options;
  boost::program_options::options_description operands;  ///< not shown by --help, since the synopsis names them
  boost::program_options::positional_options_description operand_order;
};

/// Parses the arguments. Adds --help and --version and answers them itself; then it returns nothing, and nothing is
/// left to do. Throws Error with a hint to --help if the arguments make no sense.
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
