// Files that are strings in memory, for tests that make many small ones, above all fuzz targets.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/files/file.hpp"

namespace sortie::test {

class MemoryFile final : public File {
 public:
  MemoryFile(std::string path, std::shared_ptr<std::string> contents)
      : path_(std::move(path)), contents_(std::move(contents)) {}

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override {
    const std::size_t bytes = read_at(position_, target);
    position_ += bytes;
    return bytes;
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) override {
    if (offset >= contents_->size()) return 0;
    const std::size_t bytes = std::min<std::size_t>(target.size(), contents_->size() - offset);
    if (bytes != 0) std::memcpy(target.data(), contents_->data() + offset, bytes);
    return bytes;
  }
  void set_position(std::uint64_t offset) noexcept override { position_ = static_cast<std::size_t>(offset); }
  void write(std::span<const std::byte> source) override {
    write_at(position_, source);
    position_ += source.size();
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> source) override {
    const std::lock_guard lock(growth_);
    const auto end = static_cast<std::size_t>(offset + source.size());
    if (contents_->size() < end) contents_->resize(end);
    if (!source.empty()) std::memcpy(contents_->data() + offset, source.data(), source.size());
  }
  void write_mapped_at(std::uint64_t offset, std::span<const std::byte> source) override { write_at(offset, source); }
  bool seekable() const override { return true; }
  std::uint64_t size() const override { return contents_->size(); }
  FileVersion version() const override { return {.bytes = size()}; }
  bool allocate(std::uint64_t bytes) override {
    static_cast<void>(bytes);
    return false;
  }
  bool prepare_space(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    static_cast<void>(offset);
    static_cast<void>(bytes);
    return false;
  }
  void truncate(std::uint64_t bytes) override { contents_->resize(static_cast<std::size_t>(bytes)); }
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    static_cast<void>(offset);
    static_cast<void>(bytes);
  }
  void adopt_permissions(const FileStatus& status) override { static_cast<void>(status); }
  void give_name(const std::string& path) override { path_ = path; }
  void start_writeback(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    static_cast<void>(offset);
    static_cast<void>(bytes);
  }
  void start_reading(std::uint64_t, std::uint64_t) noexcept override {}
  void write_around_cache() noexcept override {}
  void sync() override {}

 private:
  std::string path_;
  std::shared_ptr<std::string> contents_;
  std::size_t position_ = 0;
  std::mutex growth_;  // held by writers, which move the bytes
};

/// Supports names, but no folders, and nothing that an output or scratch space would need.
class MemoryFileSystem final : public FileSystem {
 public:
  /// The contents of file `path`. They may change while the file is open.
  std::string& contents(const std::string& path) {
    std::shared_ptr<std::string>& contents = files_[path];
    if (!contents) contents = std::make_shared<std::string>();
    return *contents;
  }

  std::unique_ptr<File> open_input(const std::string& path) override {
    contents(path);
    return std::make_unique<MemoryFile>(path, files_[path]);
  }
  bool may_wait(const std::string&) override { return false; }
  std::unique_ptr<File> create(const std::string& path, const CreateOptions& options) override {
    static_cast<void>(options);
    if (files_.contains(path)) refuse(path);
    return open_input(path);
  }
  std::unique_ptr<File> open_stream(const std::string& path, const FileStatus&) override { refuse(path); }
  std::unique_ptr<File> open_target(const std::string& path) override { refuse(path); }
  std::unique_ptr<File> create_unlinked(const std::string& directory, const CreateOptions& options) override {
    static_cast<void>(options);
    refuse(directory);
  }
  std::unique_ptr<File> create_unnamed(const std::string& directory) override { refuse(directory); }
  FileStatus status(const std::string& path) override { refuse(path); }
  std::string resolve_links(const std::string& path) override { return path; }
  FreeSpace free_space(const std::string& directory) override { refuse(directory); }
  void rename(const std::string& from, const std::string& to) override {
    files_[to] = files_[from];
    files_.erase(from);
  }
  void exchange(const std::string& a, const std::string& b) override { std::swap(files_[a], files_[b]); }
  void sync_directory(const std::string& directory) override { static_cast<void>(directory); }
  void sync_file_system(const std::string&) override {}
  void remove(const std::string& path) noexcept override { files_.erase(path); }

 private:
  [[noreturn]] static void refuse(const std::string& path) {
    throw Error("cannot use " + quote_word(path) + ": files in memory have no such thing");
  }

  std::map<std::string, std::shared_ptr<std::string>> files_;
};

}  // namespace sortie::test
