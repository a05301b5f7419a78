// A file written where its target is and renamed onto it, so that the target is either as it was or
// complete. Made by open_output() only.
//
//   file without a name ── write ... ── permissions, sync ── NAME ── sync file and directory
//
// Until it has its name, nothing is left if the process is killed. Giving a name cannot replace a file, renaming can:
// so if NAME is taken the file is called .NAME.sortie-XXXXXX for the moment between these two calls. If the file system
// has no files without a name it is called that from the beginning, and what a killed process leaves can be read by
// this user alone.
#pragma once

#include <string>

#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/output/output.hpp"
#include "io/output/result_file.hpp"

namespace sortie {

class ReplacingOutput final : public Output {
 public:
  /// `target`: what `path` is now, missing or a regular file. `names` may be null.
  ReplacingOutput(FileSystem& files, const std::string& path, const FileStatus& target, TemporaryNames* names);

  void write(std::span<const std::byte> bytes) override { result_.write(bytes); }
  void expect(std::uint64_t bytes) override { result_.expect(bytes); }
  void write_around_cache() override { result_.write_around_cache(); }
  void finish() override;

 private:
  void put_in_place();
  bool take_free_name();

  FileSystem& files_;
  FileStatus target_;
  std::string resolved_path_;
  std::string directory_;
  ResultFile result_;
};

}  // namespace sortie
