#include "io/files/file_stretch.hpp"

#include <algorithm>
#include <utility>

#include "io/files/forwarding_file_system.hpp"
#include "io/files/partial_file.hpp"

namespace sortie {
namespace {

class StretchedFile final : public PartialFile {
 public:
  StretchedFile(std::unique_ptr<File> file, const std::vector<FileStretch>& stretches)
      : file_(std::move(file)), stretches_(stretches) {}

  const std::string& path() const override { return file_->path(); }
  bool seekable() const override { return true; }
  std::uint64_t size() const override {
    std::uint64_t bytes = 0;
    for (const FileStretch& stretch : stretches_) bytes += stretch.end - stretch.begin;
    return bytes;
  }
  FileVersion version() const override { return file_->version(); }

  std::size_t read(std::span<std::byte> target) override {
    const std::size_t bytes = read_at(position_, target);
    position_ += bytes;
    return bytes;
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) override {
    std::size_t done = 0;
    bool has_ended = false;  // the file has become shorter
    for_each_part(offset, target.size(), [&](std::uint64_t begin, std::uint64_t bytes) {
      if (has_ended) return;
      const std::size_t got = file_->read_at(begin, target.subspan(done, static_cast<std::size_t>(bytes)));
      has_ended = got < bytes;
      done += got;
    });
    return done;
  }
  void start_reading(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    for_each_part(offset, bytes, [&](std::uint64_t begin, std::uint64_t part) { file_->start_reading(begin, part); });
  }
  void set_position(std::uint64_t offset) noexcept override { position_ = offset; }

 private:
  // Calls visit(offset in the file, bytes) for what lies in each stretch.
  template <class Visit>
  void for_each_part(std::uint64_t offset, std::uint64_t bytes, const Visit& visit) const {
    for (const FileStretch& stretch : stretches_) {
      const std::uint64_t length = stretch.end - stretch.begin;
      const std::uint64_t skipped = std::min(offset, length);
      const std::uint64_t part = std::min(length - skipped, bytes);
      if (part > 0) visit(stretch.begin + skipped, part);
      offset -= skipped;
      bytes -= part;
    }
  }

  std::unique_ptr<File> file_;
  const std::vector<FileStretch>& stretches_;
  std::uint64_t position_ = 0;
};

class FilesWithStretches final : public ForwardingFileSystem {
 public:
  FilesWithStretches(FileSystem& files, std::string path, std::vector<FileStretch> stretches)
      : ForwardingFileSystem(files), path_(std::move(path)), stretches_(std::move(stretches)) {}

  std::unique_ptr<File> open_input(const std::string& path) override {
    std::unique_ptr<File> file = ForwardingFileSystem::open_input(path);
    return path == path_ ? std::make_unique<StretchedFile>(std::move(file), stretches_) : std::move(file);
  }

 private:
  std::string path_;
  std::vector<FileStretch> stretches_;
};

}  // namespace

std::unique_ptr<FileSystem> with_stretches(FileSystem& files, std::string path, std::vector<FileStretch> stretches) {
  return std::make_unique<FilesWithStretches>(files, std::move(path), std::move(stretches));
}

}  // namespace sortie
