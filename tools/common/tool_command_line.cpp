#include "tools/common/tool_command_line.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/standard_descriptors.hpp>
#include <sortie/version.hpp>

#include "base/manual_page.hpp"
#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "io/files/io_error.hpp"

namespace sortie::tools {

namespace po = boost::program_options;

namespace {

constexpr std::size_t kColumns = 110;
constexpr std::array<std::string_view, 4> kPages = {"sortie", "sortie-check", "sortie-gen", "sortie-inspect"};

/// What stands behind the options.
std::array<std::pair<std::string_view, std::string_view>, 3> sections_of(const CommandLine& command_line) {
  return {{{"Exit status", command_line.exit_status},
           {"Environment", command_line.environment},
           {"Files", command_line.files}}};
}

std::string help_text(const CommandLine& command_line) {
  std::ostringstream options;
  options << command_line.options;
  std::string text = "Usage: " + command_line.name + " " + command_line.form + "\n";
  append_wrapped(text.append("  "), command_line.summary, kColumns, 2);
  text.append("\n").append(options.str());
  for (const auto& [title, words] : sections_of(command_line)) {
    append_wrapped(text.append("\n").append(title).append(":\n  "), words, kColumns, 2);
  }
  text += "\nExamples:\n";
  for (const CommandExample& example : command_line.examples) {
    text.append("  ").append(example.command).append("\n      ").append(example.meaning).append("\n");
  }
  return text;
}

/// Boost writes "KIND (=gensort)" for a value and its default, "[=FORM(=text)]" for one that may be left out.
void add_option(ManualPage& page, const po::option_description& option) {
  std::vector<std::string> names;
  const std::string name = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  if (name.size() == 2) names.push_back(name);
  names.push_back("--" + option.long_name());
  std::string value = option.format_parameter();
  std::string text = option.description();
  if (const std::size_t begin = value.find("(="); begin != std::string::npos) {
    const std::size_t end = value.find(')', begin);
    const std::string usual = value.substr(begin + 2, end - begin - 2);
    if (!usual.empty() && !value.starts_with('[')) text += " (default: " + usual + ")";
    value.erase(begin, end - begin + 1);
    value.erase(value.find_last_not_of(' ') + 1);
  }
  page.add_option(names, value, text);
}

std::string manual_page(const CommandLine& command_line) {
  ManualPage page(command_line.name, command_line.purpose);
  page.add_synopsis({command_line.form});
  const auto section = [&](std::string_view title, std::string_view words) {
    page.begin_section(title);
    page.add_paragraph(words);
  };
  section("Description", command_line.summary);
  page.begin_section("Options");
  for (const auto& option : command_line.options.options()) add_option(page, *option);
  for (const auto& [title, words] : sections_of(command_line)) section(title, words);
  page.begin_section("Examples");
  for (const CommandExample& example : command_line.examples) page.add_example(example.command, example.meaning);
  std::vector<std::string_view> references(kPages.begin(), kPages.end());
  std::erase(references, command_line.name);
  page.add_references(references);
  return page.text();
}

}  // namespace

std::optional<po::variables_map> parse_command_line(CommandLine command_line, int argc, const char* const* argv) {
  command_line.options.add_options()("help,h", po::value<std::string>()->implicit_value("text")->value_name("FORM"),
                                     "show this text and exit; man: as a manual page")("version",
                                                                                       "show the version and exit");
  po::options_description all;
  po::positional_options_description operands;
  all.add(command_line.options);
  for (const char* const operand : command_line.operands) {
    all.add_options()(operand, po::value<std::string>());
    operands.add(operand, 1);
  }
  po::variables_map values;
  try {
    po::store(po::command_line_parser(argc, argv).options(all).positional(operands).run(), values);
    po::notify(values);
  } catch (const po::too_many_positional_options_error&) {
    throw Error("too many operands; try '" + command_line.name + " --help'");
  } catch (const po::error& error) {
    throw Error(escape_unprintable(error.what()) + "; try '" + command_line.name + " --help'");
  }
  if (values.count("help") != 0) {
    print(stdout, values["help"].as<std::string>() == "man" ? manual_page(command_line) : help_text(command_line));
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
  if (const auto value = whole_number<std::uint64_t>(text)) return *value;
  throw Error(std::string(what) + " '" + escape_unprintable(text) + "' is not a decimal number below 2^64");
}

unsigned parse_threads(std::string_view text) {
  const std::uint64_t threads = parse_count(text, "number of threads");
  constexpr std::uint64_t kMaxThreads = 4096;
  if (threads > kMaxThreads) throw Error("number of threads " + std::string(text) + " is above 4096");
  return static_cast<unsigned>(threads);
}

void print(std::FILE* stream, std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (is_written && std::fflush(stream) == 0) return;
  if (stream == stderr && errno == EBADF) return;  // the caller closed it, and does not want to read it
  const char* const name = stream == stdout ? "'standard output'" : "'standard error'";
  throw_io_error("write", name, errno != 0 ? errno : EIO, FileRole::kOutput);
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
