#include "pipeline/setup/page_context.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/size.hpp"
#include "base/system_limits.hpp"

namespace sortie {
namespace {

// A list of thousands of inputs is for no page.
constexpr std::size_t kMostNames = 8;
constexpr std::size_t kMostCommandBytes = 2000;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostNames) text += ", and " + std::to_string(names.size() - kMostNames) + " more";
  return text;
}

/// The command line of this process, as a shell reads it; empty if the system does not say it.
std::string own_command() {
  std::ifstream words("/proc/self/cmdline", std::ios::binary);
  std::string command;
  for (std::string word; command.size() <= kMostCommandBytes && std::getline(words, word, '\0');) {
    command += (command.empty() ? "" : " ") + quote_path(word);
  }
  return command.size() <= kMostCommandBytes ? command : command.substr(0, kMostCommandBytes) + " ...";
}

std::string inputs_of(const SortOptions& options) {
  if (options.source) return "records that the program gives";
  std::vector<std::string> names = options.inputs;
  std::ranges::replace(names, std::string("-"), std::string("standard input"));
  return listed(names);
}

std::string output_of(const SortOptions& options) {
  if (options.sink) return "records that the program takes";
  return options.output == "-" ? "standard output" : options.output;
}

std::string system_name() {
  utsname names{};
  if (::uname(&names) != 0) return "unknown";
  return std::string(names.sysname) + " " + names.release + ", " + names.machine;
}

std::uint64_t memory_of_machine() {
  try {
    return total_memory_bytes();
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace

std::string words_for(const Format& format) {
  if (format.text.json) return "JSON Lines";
  if (format.text.csv) return format.text.separator == "\t" ? "TSV" : "CSV";
  return format.text.record_start ? "entries" : to_string(format);
}

PageContext page_context(const SortSpec& spec, const std::vector<std::string>& scratch_directories,
                         const Output& output) {
  const SortOptions& options = spec.options;
  PageContext page;
  page.conditions = {.threads = spec.threads,
                     .processors = available_threads(),
                     .scratch_directories = scratch_directories.size(),
                     .reads_stream = options.source || !file_bytes(options.inputs),
                     .writes_stream = output.waits_for_reader(),
                     .packs_output = packed_format(options) != CompressionFormat::kNone};
  if (std::string command = own_command(); !command.empty()) page.options.emplace_back("command", std::move(command));
  page.options.emplace_back("input", inputs_of(options));
  page.options.emplace_back("output", output_of(options));
  page.options.emplace_back("format", words_for(spec.input_format));
  page.options.emplace_back("memory asked for",
                            options.memory_bytes == 0 ? "not given" : format_size(options.memory_bytes));
  page.options.emplace_back("threads", std::to_string(spec.threads));
  page.options.emplace_back("scratch space", listed(scratch_directories));
  page.system = system_name();
  page.memory_bytes = memory_of_machine();
  return page;
}

}  // namespace sortie
