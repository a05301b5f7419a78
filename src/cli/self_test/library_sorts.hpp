// How the self-test has the library sort: by the words of a command line, with the resources that it may use; and files
// that it gives to sorts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/record_stream.hpp>
#include <sortie/report.hpp>
#include <sortie/temporary_names.hpp>

namespace sortie::cli {

/// What the words of a command line ask for, with `resources` where they say nothing.
SortOptions options_of(const std::vector<std::string>& words, const SortOptions& resources);

/// The bytes, which must outlive it, as the input of one sort.
RecordSource source_of(std::string_view bytes);

struct Sorted {
  std::string bytes;  ///< the output, unless it is a file
  SortReport report;
};

/// Throws Error, also where a GPU failed and the CPU engine went on.
Sorted sorted(SortOptions options);

/// The rows of the join that `words` ask for. Throws Error.
std::string joined_rows(const std::vector<std::string>& words, const SortOptions& resources);

/// It is removed in the end, also when a signal ends the process.
class NamedFile {
 public:
  /// Creates an empty file in `folder` that only its owner may read. `names` must outlive it. Throws Error.
  NamedFile(const std::string& folder, std::string_view suffix, TemporaryNames& names);
  ~NamedFile();
  NamedFile(const NamedFile&) = delete;
  NamedFile& operator=(const NamedFile&) = delete;

  const std::string& path() const { return entry_.path(); }

  /// Replaces the contents. Throws Error.
  void write(std::string_view bytes) const;
  /// Throws Error.
  std::string read() const;

 private:
  TemporaryNames::Entry entry_;
};

}  // namespace sortie::cli
