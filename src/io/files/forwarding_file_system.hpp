// A file system that is another one, but for what a subclass overrides: some names stand for something else there.
#pragma once

#include <memory>
#include <string>

#include "io/files/file.hpp"
#include "io/files/private_directory.hpp"

namespace sortie {

class ForwardingFileSystem : public FileSystem {
 public:
  /// `files` must outlive it.
  explicit ForwardingFileSystem(FileSystem& files) : files_(files) {}

  std::unique_ptr<File> open_input(const std::string& path) override { return files_.open_input(path); }
  bool may_wait(const std::string& path) override { return files_.may_wait(path); }
  std::unique_ptr<File> open_stream(const std::string& path, const FileStatus& status) override {
    return files_.open_stream(path, status);
  }
  std::unique_ptr<File> open_target(const std::string& path) override { return files_.open_target(path); }
  std::unique_ptr<File> create(const std::string& path, const CreateOptions& options) override {
    return files_.create(path, options);
  }
  std::unique_ptr<File> create_unlinked(const std::string& directory, const CreateOptions& options) override {
    return files_.create_unlinked(directory, options);
  }
  std::unique_ptr<File> create_unnamed(const std::string& directory) override {
    return files_.create_unnamed(directory);
  }
  FileStatus status(const std::string& path) override { return files_.status(path); }
  FileStatus target_status(const std::string& path) override { return files_.target_status(path); }
  std::string resolve_links(const std::string& path) override { return files_.resolve_links(path); }
  FreeSpace free_space(const std::string& directory) override { return files_.free_space(directory); }
  std::unique_ptr<PrivateDirectory> open_private_directory(const std::string& path) override {
    return files_.open_private_directory(path);
  }
  void rename(const std::string& from, const std::string& to) override { files_.rename(from, to); }
  void exchange(const std::string& a, const std::string& b) override { files_.exchange(a, b); }
  void sync_directory(const std::string& directory) override { files_.sync_directory(directory); }
  void sync_file_system(const std::string& directory) override { files_.sync_file_system(directory); }
  void remove(const std::string& path) noexcept override { files_.remove(path); }
  TemporaryNames::Lock hold_names() override { return files_.hold_names(); }

 private:
  FileSystem& files_;
};

}  // namespace sortie
