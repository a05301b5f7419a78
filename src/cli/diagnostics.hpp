// How the command speaks: every message is a line on standard error that begins with the name the program was called
// by.
#pragma once

#include <cstdio>
#include <optional>
#include <string_view>

#include <sortie/error.hpp>
#include <sortie/sort.hpp>

namespace sortie::cli {

class Diagnostics {
 public:
  /// `program` must outlive this.
  explicit Diagnostics(std::string_view program) : program_(program) {}

  /// The name the program was called by.
  std::string_view program() const { return program_; }
  /// The same without folders. npos + 1 is 0.
  std::string_view name() const { return program_.substr(program_.rfind('/') + 1); }

  /// Each line of `message` becomes a message of its own. Allocates nothing.
  void error(std::string_view message) const;
  /// The same, with the option for the remedy that the message ends with.
  void error(const Error& error) const;
  /// Reports an error; under the name sort it says no more than GNU sort.
  void file_error(const FileError& error) const;
  /// Reports what did not keep the command from doing its work. Says nothing under the name sort: GNU sort has no such
  /// warnings, and none of ours is about data at risk.
  void warning(const Warning& warning) const;
  /// Prints one message and a line that points at --help.
  void usage_error(std::string_view message) const;
  /// Says "sortie: FILE:LINE: disorder: TEXT" as GNU sort does, ended as the line is.
  void disorder(const Disorder& disorder, const Format& format) const;

 private:
  std::string_view program_;
};

/// Writes and flushes `text`. Returns nothing if the stream has taken all of it, else errno.
std::optional<int> write_text(std::string_view text, std::FILE* stream);

/// Writes `text` to standard output or standard error. Throws FileError if the stream does not take it; a closed
/// standard error takes everything.
void print(std::string_view text, std::FILE* stream = stdout);

}  // namespace sortie::cli
