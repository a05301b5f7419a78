// A file system that takes names for the same which differ in case, in how an accent is written, or in dots at the end.
// Its files lie under their folded names in another file system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/letter_case.hpp"
#include "io/files/file.hpp"
#include "io/files/forwarding_file_system.hpp"
#include "io/files/partial_file.hpp"
#include "io/paths/paths.hpp"

namespace sortie::test {

/// Knows one letter that is not ASCII, in its four forms.
inline std::string folded_name(const std::string& name) {
  std::string folded = in_lower_case(name);
  for (const std::string_view form : {"e\xCC\x81", "\xC3\x89"}) {
    for (std::size_t at = folded.find(form); at != std::string::npos; at = folded.find(form)) {
      folded.replace(at, form.size(), "\xC3\xA9");
    }
  }
  while (folded.size() > 1 && folded.ends_with('.')) folded.pop_back();
  return folded;
}

inline std::string folded_path(const std::string& path) {
  const std::string name = name_in_directory(path);
  return path.substr(0, path.size() - name.size()) + folded_name(name);
}

/// A file that gets its name later.
class FoldingFile final : public PartialFile {
 public:
  explicit FoldingFile(std::unique_ptr<File> file) : file_(std::move(file)) {}

  const std::string& path() const override { return file_->path(); }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) override {
    return file_->read_at(offset, target);
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> source) override { file_->write_at(offset, source); }
  void write_mapped_at(std::uint64_t offset, std::span<const std::byte> source) override {
    file_->write_at(offset, source);
  }
  bool seekable() const override { return true; }
  std::uint64_t size() const override { return file_->size(); }
  FileVersion version() const override { return file_->version(); }
  void truncate(std::uint64_t bytes) override { file_->truncate(bytes); }
  void give_name(const std::string& path) override { file_->give_name(folded_path(path)); }
  void adopt_permissions(const FileStatus& status) override { file_->adopt_permissions(status); }
  void sync() override { file_->sync(); }

 private:
  std::unique_ptr<File> file_;
};

class FoldingFileSystem final : public ForwardingFileSystem {
 public:
  /// Files need names from the beginning on, or get them later. With `shows_inodes` false each name has an inode of its
  /// own, as with FUSE.
  FoldingFileSystem(FileSystem& files, bool needs_names, bool shows_inodes = true)
      : ForwardingFileSystem(files), needs_names_(needs_names), shows_inodes_(shows_inodes) {}

  std::unique_ptr<File> open_input(const std::string& path) override {
    return ForwardingFileSystem::open_input(folded_path(path));
  }
  std::unique_ptr<File> open_target(const std::string& path) override {
    return ForwardingFileSystem::open_target(folded_path(path));
  }
  std::unique_ptr<File> create(const std::string& path, const CreateOptions& options) override {
    return ForwardingFileSystem::create(folded_path(path), options);
  }
  std::unique_ptr<File> create_unlinked(const std::string& directory, const CreateOptions& options) override {
    if (needs_names_) return nullptr;
    auto file = ForwardingFileSystem::create_unlinked(directory, options);
    return file ? std::make_unique<FoldingFile>(std::move(file)) : nullptr;
  }
  FileStatus status(const std::string& path) override {
    return as_shown(path, ForwardingFileSystem::status(folded_path(path)));
  }
  FileStatus target_status(const std::string& path) override {
    return as_shown(path, ForwardingFileSystem::target_status(folded_path(path)));
  }
  void rename(const std::string& from, const std::string& to) override {
    ForwardingFileSystem::rename(folded_path(from), folded_path(to));
  }
  void exchange(const std::string& a, const std::string& b) override {
    ForwardingFileSystem::exchange(folded_path(a), folded_path(b));
  }
  void remove(const std::string& path) noexcept override { ForwardingFileSystem::remove(folded_path(path)); }

 private:
  FileStatus as_shown(const std::string& path, FileStatus status) const {
    if (!shows_inodes_ && status.kind == FileStatus::Kind::kRegular) status.inode = std::hash<std::string>()(path);
    return status;
  }

  bool needs_names_;
  bool shows_inodes_;
};

}  // namespace sortie::test
