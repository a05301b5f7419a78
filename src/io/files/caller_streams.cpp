#include "io/files/caller_streams.hpp"

#include <utility>

#include <sortie/error.hpp>

#include "io/files/forwarding_file_system.hpp"
#include "io/files/partial_file.hpp"

namespace sortie {
namespace {

class SourceStream final : public PartialFile {
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

class SinkStream final : public PartialFile {
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

class CallerStreams final : public ForwardingFileSystem {
 public:
  CallerStreams(FileSystem& files, RecordSource source, RecordSink sink)
      : ForwardingFileSystem(files), source_(std::move(source)), sink_(std::move(sink)) {}

  std::unique_ptr<File> open_input(const std::string& path) override {
    if (is_source(path)) return std::make_unique<SourceStream>(source_);
    return ForwardingFileSystem::open_input(path);
  }
  bool may_wait(const std::string& path) override { return is_source(path) || ForwardingFileSystem::may_wait(path); }
  std::unique_ptr<File> open_stream(const std::string& path, const FileStatus& status) override {
    if (is_sink(path)) return std::make_unique<SinkStream>(sink_);
    return ForwardingFileSystem::open_stream(path, status);
  }
  FileStatus status(const std::string& path) override {
    return is_source(path) || is_sink(path) ? stream_status(path) : ForwardingFileSystem::status(path);
  }
  FileStatus target_status(const std::string& path) override {
    return is_source(path) || is_sink(path) ? stream_status(path) : ForwardingFileSystem::target_status(path);
  }
  std::string resolve_links(const std::string& path) override {
    return is_source(path) || is_sink(path) ? path : ForwardingFileSystem::resolve_links(path);
  }

 private:
  bool is_source(const std::string& path) const { return source_ && path == kSourceName; }
  bool is_sink(const std::string& path) const { return sink_ && path == kSinkName; }

  FileStatus stream_status(const std::string& path) const {
    FileStatus status;
    status.kind = FileStatus::Kind::kStream;
    status.writable = is_sink(path);
    return status;
  }

  RecordSource source_;
  RecordSink sink_;
};

}  // namespace

std::unique_ptr<FileSystem> with_caller_streams(FileSystem& files, RecordSource source, RecordSink sink) {
  return std::make_unique<CallerStreams>(files, std::move(source), std::move(sink));
}

}  // namespace sortie
