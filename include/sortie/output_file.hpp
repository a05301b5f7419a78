// A file that a program writes as sorts write their outputs: the target is complete or as it was, whatever happens.
//
//   sortie::OutputFile file("sorted.csv.gz");
//   while (more()) file.write(bytes());
//   file.finish();
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <sortie/error.hpp>

namespace sortie {

/// Calls must not overlap. What goes wrong is thrown as Error that names the file; after that only the destructor may
/// be called.
class OutputFile {
 public:
  struct Options {
    /// Whether names that end in .gz, .zst, .bz2, .xz or .lz4 are packed.
    bool pack = true;
    /// How many threads pack. 0: all that the process may use.
    unsigned threads = 0;
  };

  /// As with SortOptions::output: "-" is standard output; pipes, terminals and devices are written in place; a symbolic
  /// link is followed; an existing file keeps its mode, other names of it see the new contents. Checks that the target
  /// can be written.
  explicit OutputFile(const std::string& path) : OutputFile(path, Options()) {}
  OutputFile(const std::string& path, const Options& options);
  /// Without finish() the target stays as it was, and nothing is left behind.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends. The bytes are the caller's again afterwards.
  void write(std::span<const std::byte> bytes);

  /// Makes the file durable and puts it in its place. Call once, as the last.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sortie
