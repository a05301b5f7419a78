// How the command speaks: every message is a line on standard error that begins with the name the program was called
// by.
#pragma once

#include <cstdio>
#include <optional>
#include <string_view>

#include <sortie/file_error.hpp>
#include <sortie/sort.hpp>

namespace sortie::cli {

class Diagnostics {
 public:
  /// `program` outlives this.
  explicit Diagnostics(std::string_view program) : program_(program) {}

  /// The name the program was called by.
  std::string_view program() const { return program_; }
  /// The same without folders. npos + 1 is 0.
  std::string_view name() const { return program_.substr(program_.rfind('/') + 1); }

  /// Several messages stand in lines of their own. Allocates nothing.
  void error(std::string_view message) const;
  /// Under the name sort it says no more than GNU sort.
  void file_error(const FileError& error) const;
  /// Says what did not keep the command from doing its work. Nothing under the name sort: GNU sort has no such
  /// warnings, and none of ours is about data at risk.
  void warning(std::string_view message) const;
  /// One message, with a line that points at --help.
  void usage_error(std::string_view message) const;
  /// As GNU sort says it, "sortie: FILE:LINE: disorder: TEXT", ended as the line is.
  void disorder(const Disorder& disorder, const Format& format) const;

 private:
  std::string_view program_;
};

/// Nothing if the stream has taken all of `text`, else errno.
std::optional<int> write_text(std::string_view text, std::FILE* stream);

/// Throws FileError if the stream, standard output or standard error, does not take it; a standard error that is closed
/// takes everything.
void print(std::string_view text, std::FILE* stream = stdout);

}  // namespace sortie::cli
