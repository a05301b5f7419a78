#include "io/files/caller_streams.hpp"

#include <cassert>
#include <utility>

#include <sortie/error.hpp>

#include "io/files/private_directory.hpp"

namespace sortie {
namespace {

/// A stream: what only files with offsets can do is never asked of it.
class CallerStream : public File {
 public:
  std::size_t read(std::span<std::byte>) override { return refuse<std::size_t>(); }
  std::size_t read_at(std::uint64_t, std::span<std::byte>) override { return refuse<std::size_t>(); }
  void write(std::span<const std::byte>) override { refuse<void>(); }
  void write_at(std::uint64_t, std::span<const std::byte>) override { refuse<void>(); }
  void write_mapped_at(std::uint64_t, std::span<const std::byte>) override { refuse<void>(); }
  std::uint64_t size() const override { return refuse<std::uint64_t>(); }
  FileVersion version() const override { return {}; }
  void truncate(std::uint64_t) override { refuse<void>(); }
  void give_name(const std::string&) override { refuse<void>(); }

  void set_position(std::uint64_t) noexcept override {}
  bool seekable() const override { return false; }
  bool allocate(std::uint64_t) override { return false; }
  bool prepare_space(std::uint64_t, std::uint64_t) noexcept override { return false; }
  void release(std::uint64_t, std::uint64_t) noexcept override {}
  void adopt_permissions(const FileStatus&) override {}
  void start_writeback(std::uint64_t, std::uint64_t) noexcept override {}
  void start_reading(std::uint64_t, std::uint64_t) noexcept override {}
  void write_around_cache() noexcept override {}
  void sync() override {}

 private:
  template <class Result>
  static Result refuse() {
    assert(false && "not for streams");
    return Result();
  }
};

class SourceStream final : public CallerStream {
 public:
  explicit SourceStream(const RecordSource& source) : source_(source) {}

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override {
    if (has_ended_ || target.empty()) return 0;
    const std::size_t bytes = source_(target);
    if (bytes > target.size()) throw Error("a source has given more bytes than it was asked for");
    has_ended_ = bytes == 0;
    return bytes;
  }

 private:
  std::string path_ = kSourceName;
  const RecordSource& source_;
  bool has_ended_ = false;
};

class SinkStream final : public CallerStream {
 public:
  explicit SinkStream(const RecordSink& sink) : sink_(sink) {}

  const std::string& path() const override { return path_; }
  void write(std::span<const std::byte> records) override {
    if (!records.empty()) sink_(records);
  }

 private:
  std::string path_ = kSinkName;
  const RecordSink& sink_;
};

class CallerStreams final : public FileSystem {
 public:
  CallerStreams(FileSystem& files, RecordSource source, RecordSink sink)
      : files_(files), source_(std::move(source)), sink_(std::move(sink)) {}

  std::unique_ptr<File> open_input(const std::string& path) override {
    if (is_source(path)) return std::make_unique<SourceStream>(source_);
    return files_.open_input(path);
  }
  bool may_wait(const std::string& path) override { return is_source(path) || files_.may_wait(path); }
  std::unique_ptr<File> open_stream(const std::string& path) override {
    if (is_sink(path)) return std::make_unique<SinkStream>(sink_);
    return files_.open_stream(path);
  }
  FileStatus status(const std::string& path) override {
    if (!is_source(path) && !is_sink(path)) return files_.status(path);
    FileStatus status;
    status.kind = FileStatus::Kind::kStream;
    status.writable = is_sink(path);
    return status;
  }
  std::string resolve_links(const std::string& path) override {
    return is_source(path) || is_sink(path) ? path : files_.resolve_links(path);
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
  FreeSpace free_space(const std::string& directory) override { return files_.free_space(directory); }
  std::unique_ptr<PrivateDirectory> open_private_directory(const std::string& path) override {
    return files_.open_private_directory(path);
  }
  void rename(const std::string& from, const std::string& to) override { files_.rename(from, to); }
  void sync_directory(const std::string& directory) override { files_.sync_directory(directory); }
  void remove(const std::string& path) noexcept override { files_.remove(path); }

 private:
  bool is_source(const std::string& path) const { return source_ && path == kSourceName; }
  bool is_sink(const std::string& path) const { return sink_ && path == kSinkName; }

  FileSystem& files_;
  RecordSource source_;
  RecordSink sink_;
};

}  // namespace

std::unique_ptr<FileSystem> with_caller_streams(FileSystem& files, RecordSource source, RecordSink sink) {
  return std::make_unique<CallerStreams>(files, std::move(source), std::move(sink));
}

}  // namespace sortie
