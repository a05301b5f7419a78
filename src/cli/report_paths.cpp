#include "cli/report_paths.hpp"

#include <algorithm>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

namespace sortie::cli {
namespace {

/// Whether two paths lead to the same regular file; "-" is the standard stream of that descriptor.
bool is_same_file(const struct stat& file, const std::string& path, int standard_stream) {
  struct stat other;
  const bool found = (path == "-" ? ::fstat(standard_stream, &other) : ::stat(path.c_str(), &other)) == 0;
  return found && S_ISREG(other.st_mode) && other.st_dev == file.st_dev && other.st_ino == file.st_ino;
}

void refuse_over_data(std::string_view option, const std::string& path, const SortOptions& options) {
  if (path.empty()) return;
  const auto refuse = [&](const char* what) {
    throw Error("the file of " + std::string(option) + ", " + quote_path(path) + ", is " + what +
                " of the sort: name another");
  };
  if (path == options.output && path != "/dev/null") refuse("the output");
  struct stat file;
  if (::stat(path.c_str(), &file) != 0) return;
  if (is_same_file(file, options.output, STDOUT_FILENO)) refuse("the output");
  const auto is_input = [&](const std::string& input) { return is_same_file(file, input, STDIN_FILENO); };
  if (options.inputs.empty() ? is_input("-") : std::ranges::any_of(options.inputs, is_input)) refuse("an input");
}

}  // namespace

void refuse_reports_over_data(const SortOptions& options, const std::string& stats_json_path) {
  refuse_over_data("--stats-json", stats_json_path, options);
  refuse_over_data("--trace", options.trace_path, options);
}

}  // namespace sortie::cli
