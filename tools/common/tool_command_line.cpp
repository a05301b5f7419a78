#include "tools/common/tool_command_line.hpp"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <sstream>

#include <sortie/error.hpp>
#include <sortie/standard_descriptors.hpp>
#include <sortie/version.hpp>

#include "base/quote.hpp"
#include "tools/common/tool_output.hpp"

namespace sortie::tools {

namespace po = boost::program_options;

std::optional<po::variables_map> parse_command_line(CommandLine command_line, int argc, const char* const* argv) {
  command_line.options.add_options()("help,h", "show this text and exit")("version", "show the version and exit");
  po::options_description all;
  all.add(command_line.options).add(command_line.operands);
  po::variables_map values;
  try {
    po::store(po::command_line_parser(argc, argv).options(all).positional(command_line.operand_order).run(), values);
    po::notify(values);
  } catch (const po::too_many_positional_options_error&) {
    throw Error("too many operands; try '" + command_line.name + " --help'");
  } catch (const po::error& error) {
    throw Error(escape_unprintable(error.what()) + "; try '" + command_line.name + " --help'");
  }
  if (values.count("help") != 0) {
    std::ostringstream text;
    text << "Usage: " << command_line.synopsis << "\n" << command_line.summary << "\n\n" << command_line.options;
    print(stdout, text.str());
    return std::nullopt;
  }
  if (values.count("version") != 0) {
    print(stdout, command_line.name + " " + SORTIE_VERSION + "\n");
    return std::nullopt;
  }
  return values;
}

std::string required_operand(const po::variables_map& values, const std::string& name, const std::string& tool) {
  if (values.count(name) == 0) throw Error("operand " + name + " is missing; try '" + tool + " --help'");
  return values[name].as<std::string>();
}

std::uint64_t parse_count(std::string_view text, std::string_view what) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) {
    throw Error(std::string(what) + " '" + escape_unprintable(text) + "' is not a decimal number below 2^64");
  }
  return value;
}

unsigned parse_threads(std::string_view text) {
  const std::uint64_t threads = parse_count(text, "number of threads");
  constexpr std::uint64_t kMaxThreads = 4096;
  if (threads > kMaxThreads) throw Error("number of threads " + std::string(text) + " is above 4096");
  return static_cast<unsigned>(threads);
}

int run_tool(std::string_view name, std::string_view memory_remedy, const std::function<int()>& body) noexcept {
  const auto complain = [&](std::string_view message, std::string_view remedy) {
    std::fprintf(stderr, "%.*s: %.*s%.*s\n", static_cast<int>(name.size()), name.data(),
                 static_cast<int>(message.size()), message.data(), static_cast<int>(remedy.size()), remedy.data());
  };
  try {
    std::signal(SIGXFSZ, SIG_IGN);  // so that a file that outgrows its limit is an ordinary error
    occupy_closed_standard_descriptors();
    return body();
  } catch (const std::bad_alloc&) {
    complain("out of memory; ", memory_remedy);
  } catch (const std::exception& error) {
    complain(error.what(), "");
  }
  return 2;
}

}  // namespace sortie::tools
