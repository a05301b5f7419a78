// The common parts of the three tools' command lines: --help, --help=man, --version, operands, and errors that end in
// one line and exit status 2; and what the tools print. Called by each tool's main() and option parser.
#pragma once

#include <cstdint>
#include <cstdio>
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

/// The command line of one tool: the options that --help shows, and operands.
struct CommandLine {
  std::string name;         ///< "sortie-gen"
  std::string purpose;      ///< a few words, for the head of the manual page
  std::string form;         ///< what follows the name: "[OPTION]... RECORDS FILE"
  std::string summary;      ///< what the tool does, in one paragraph
  std::string exit_status;  ///< what each status means, in one paragraph
  std::string environment;  ///< which variables count, in one paragraph
  std::string files;        ///< what the tool reads and writes beside its operands, in one paragraph
  std::vector<CommandExample> examples;
  std::vector<const char*> operands;  ///< names, in order; not shown by --help, since `form` has them
  boost::program_options::options_description options{"Options", 110};
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

/// Writes all of `text` to `stream`, standard output or standard error, and flushes it. Output to a closed standard
/// error is dropped. Throws Error if a write fails, so that nobody takes a part of a report for the whole.
void print(std::FILE* stream, std::string_view text);

}  // namespace sortie::tools
