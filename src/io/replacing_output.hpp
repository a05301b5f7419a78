// A file written beside its target and renamed onto it, so that the target is either as it was or
// complete. Made by open_output() only.
//
//   create .NAME.sortie-XXXXXX ── write ... ── permissions, sync ── rename to NAME ── sync directory
#pragma once

#include <memory>
#include <string>

#include "io/output.hpp"

namespace sortie {

class ReplacingOutput final : public Output {
 public:
  /// `target`: what `path` is now, missing or a regular file.
  ReplacingOutput(FileSystem& files, const std::string& path, const FileStatus& target);
  ~ReplacingOutput() override;
  ReplacingOutput(const ReplacingOutput&) = delete;
  ReplacingOutput& operator=(const ReplacingOutput&) = delete;

  void write(std::span<const std::byte> bytes) override;
  void expect(std::uint64_t bytes) override;
  void finish() override;

 private:
  FileSystem& files_;
  FileStatus target_;
  std::string resolved_path_;
  std::string directory_;
  std::string temporary_path_;
  std::unique_ptr<File> file_;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t allocated_bytes_ = 0;
  bool renamed_ = false;
};

}  // namespace sortie
