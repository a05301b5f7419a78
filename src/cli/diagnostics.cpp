#include "cli/diagnostics.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace sortie::cli {
namespace {

// A message that cannot be written has nowhere to be reported.
void print_error(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stderr); }

}  // namespace

void Diagnostics::error(std::string_view message) const {
  std::string lines = program_ + ": ";
  for (const char character : message) {
    lines += character;
    if (character == '\n') lines += program_ + ": ";
  }
  print_error(lines + "\n");
}

void Diagnostics::warning(std::string_view message) const { error("warning: " + std::string(message)); }

void Diagnostics::usage_error(std::string_view message) const {
  print_error(program_ + ": " + std::string(message) + "\n");
  print_error("Try '" + program_ + " --help' for more information.\n");
}

void Diagnostics::disorder(const Disorder& disorder, const Format& format) const {
  if (format.kind == RecordKind::kLines) {
    print_error(program_ + ": " + disorder.input + ":" + std::to_string(disorder.record) +
                ": disorder: " + disorder.text + format.delimiter);
  } else {
    error(disorder.input + ": record " + std::to_string(disorder.record) + " at offset " +
          std::to_string(disorder.offset) + ": disorder");
  }
}

void print(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw Error("write failed: 'standard output': " + std::string(std::strerror(errno)));
  }
}

}  // namespace sortie::cli
