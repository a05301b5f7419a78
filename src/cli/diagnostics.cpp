#include "cli/diagnostics.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "base/quote.hpp"

namespace sortie::cli {
namespace {

// Allocates nothing, because memory may be exhausted. If the message cannot be written, there is nowhere to report
// that.
void print_line(std::string_view program, std::string_view text, const char* end = "") {
  std::fprintf(stderr, "%.*s: %.*s%s\n", static_cast<int>(program.size()), program.data(),
               static_cast<int>(text.size()), text.data(), end);
}

/// `end`: of the last line.
void print_lines(std::string_view program, std::string_view text, const char* end) {
  for (std::size_t line_end; (line_end = text.find('\n')) != std::string_view::npos; text.remove_prefix(line_end + 1)) {
    print_line(program, text.substr(0, line_end));
  }
  print_line(program, text, end);
}

struct RemedyOption {
  Remedy remedy;
  const char* words;
};

/// How the command's options name what the last words of a message advise.
constexpr RemedyOption kOptions[] = {
    {Remedy::kMoreMemory, " with -S/--buffer-size"},
    {Remedy::kLessMemory, " with -S/--buffer-size"},
    {Remedy::kFewerThreads, " with --parallel"},
    {Remedy::kOtherScratch, " with -T/--temporary-directory"},
    {Remedy::kCpuEngine, " with --engine=cpu"},
    {Remedy::kYear, " with --year"},
    {Remedy::kQuoting, " with --quote=none"},
    {Remedy::kZone, " with --zone"},
    {Remedy::kSayQuoting, ", with --quote=csv or --quote=none"},
    {Remedy::kHeaderLines, " with --header=N, of which the comment is the first record"},
};

const char* option_for(Remedy remedy) {
  const auto* const found = std::ranges::find(kOptions, remedy, &RemedyOption::remedy);
  return found == std::end(kOptions) ? "" : found->words;
}

}  // namespace

void Diagnostics::error(std::string_view message) const { print_lines(program_, message, ""); }

void Diagnostics::error(const Error& error) const { print_lines(program_, error.what(), option_for(error.remedy())); }

void Diagnostics::file_error(const FileError& error) const {
  using Kind = FileError::Kind;
  if (name() != "sort") return this->error(static_cast<const Error&>(error));
  if (error.kind() != Kind::kWriteOutput && error.kind() != Kind::kWriteSmallOutput) return this->error(error.plain());
  // GNU sort reports this twice: when it writes, and when it closes its standard output.
  this->error((error.kind() == Kind::kWriteSmallOutput ? "fflush failed: " : "write failed: ") + error.reason());
  this->error("write error");
}

void Diagnostics::warning(const Warning& warning) const {
  if (name() != "sort") error("warning: " + warning.message + option_for(warning.remedy));
}

void Diagnostics::usage_error(std::string_view message) const {
  print_line(program_, message);
  std::fprintf(stderr, "Try '%.*s --help' for more information.\n", static_cast<int>(program_.size()), program_.data());
}

void Diagnostics::disorder(const Disorder& disorder, const Format& format) const {
  const bool may_hold_lines = format.text.csv || static_cast<bool>(format.text.record_start);
  // Only a record of a format has no offset: see check_files().
  if (disorder.record > 1 && disorder.offset == 0) {
    error(escape_unprintable(disorder.input) + ": record " + std::to_string(disorder.record) + ": disorder");
  } else if (format.kind == RecordKind::kLines && may_hold_lines && name() != "sort") {
    const std::size_t first_line = disorder.text.find('\n');
    error(escape_unprintable(disorder.input) + ": record " + std::to_string(disorder.record) +
          ": disorder: " + disorder.text.substr(0, first_line) + (first_line == std::string::npos ? "" : "..."));
  } else if (format.kind == RecordKind::kLines) {
    const std::string text = std::string(program_) + ": " + escape_unprintable(disorder.input) + ":" +
                             std::to_string(disorder.record) + ": disorder: " + disorder.text + format.delimiter;
    std::fwrite(text.data(), 1, text.size(), stderr);
  } else {
    error(escape_unprintable(disorder.input) + ": record " + std::to_string(disorder.record) + " at offset " +
          std::to_string(disorder.offset) + ": disorder");
  }
}

std::optional<int> write_text(std::string_view text, std::FILE* stream) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (is_written && std::fflush(stream) == 0) return std::nullopt;
  return errno;
}

void print(std::string_view text, std::FILE* stream) {
  const std::optional<int> failure = write_text(text, stream);
  if (!failure) return;
  if (stream == stderr && *failure == EBADF) return;  // closed by the caller, who does not want to read it
  const std::string reason =
      (stream == stdout ? "'standard output': " : "'standard error': ") + std::string(std::strerror(*failure));
  throw FileError(FileError::Kind::kWriteOutput, "write failed: " + reason, reason, "");
}

}  // namespace sortie::cli
