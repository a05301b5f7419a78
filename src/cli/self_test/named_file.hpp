// Files that the self-test sorts or writes. They are removed in the end, also when a signal ends the process.
#pragma once

#include <string>
#include <string_view>

#include <sortie/temporary_names.hpp>

namespace sortie::cli {

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
