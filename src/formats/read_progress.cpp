#include "formats/read_progress.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "io/files/forwarding_file_system.hpp"
#include "io/files/partial_file.hpp"

namespace sortie::formats {
namespace {

/// An input that tells how far it was read.
class CountedFile final : public PartialFile {
 public:
  CountedFile(std::unique_ptr<File> file, std::string path, ReadProgress& progress)
      : file_(std::move(file)), input_(std::move(path)), progress_(progress) {}

  const std::string& path() const override { return file_->path(); }
  std::size_t read(std::span<std::byte> target) override {
    const std::size_t got = file_->read(target);
    reach(position_ += got);
    return got;
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) override {
    const std::size_t got = file_->read_at(offset, target);
    reach(offset + got);
    return got;
  }
  std::unique_ptr<MappedCopy> map_at(std::uint64_t offset, std::span<std::byte> target) override {
    std::unique_ptr<MappedCopy> copy = file_->map_at(offset, target);
    if (copy) reach(offset + target.size());
    return copy;
  }
  MappedView view(std::uint64_t bytes) const override { return file_->view(bytes); }
  void set_position(std::uint64_t offset) noexcept override {
    file_->set_position(offset);
    position_ = offset;
  }
  bool seekable() const override { return file_->seekable(); }
  std::uint64_t size() const override { return file_->size(); }
  FileVersion version() const override { return file_->version(); }
  bool lies_in_memory() const noexcept override { return file_->lies_in_memory(); }
  void start_reading(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    file_->start_reading(offset, bytes);
  }

 private:
  void reach(std::uint64_t offset) { progress_.has_read(input_, offset); }

  const std::unique_ptr<File> file_;
  const std::string input_;
  ReadProgress& progress_;
  std::uint64_t position_ = 0;
};

class CountedInputs final : public ForwardingFileSystem {
 public:
  CountedInputs(FileSystem& files, ReadProgress& progress) : ForwardingFileSystem(files), progress_(progress) {}

  std::unique_ptr<File> open_input(const std::string& path) override {
    return std::make_unique<CountedFile>(ForwardingFileSystem::open_input(path), path, progress_);
  }

 private:
  ReadProgress& progress_;
};

}  // namespace

ReadProgress::ReadProgress(FileSystem& files, const SortOptions& options) : files_(files), options_(options) {
  std::FILE* const stream = wants_progress(options.progress, stderr) ? stderr : nullptr;
  if (stream == nullptr && !options.watch) return;
  line_.emplace(stream, options.watch);
  counted_ = std::make_unique<CountedInputs>(files, *this);
  measure();
}

ReadProgress::~ReadProgress() {
  if (line_) line_->clear();
}

// The size of a pipe is not known, and then not that of all.
void ReadProgress::measure() {
  for (const std::string& path : options_.inputs) {
    const FileStatus status = path == "-" ? FileStatus() : files_.status(path);
    if (status.kind != FileStatus::Kind::kRegular) {
      total_bytes_ = 0;
      return;
    }
    Input& input = inputs_[path];
    ++input.times;
    input.bytes = status.bytes;
    total_bytes_ += status.bytes;
  }
}

// One that is named twice is read twice, and counts as twice as long a file.
void ReadProgress::has_read(const std::string& path, std::uint64_t bytes) {
  if (!is_reading_ || total_bytes_ == 0) return;
  std::uint64_t more = 0;
  {
    const std::lock_guard lock(inputs_mutex_);
    const auto found = inputs_.find(path);
    if (found == inputs_.end()) return;
    Input& input = found->second;
    const std::uint64_t read = std::clamp(bytes, input.read, input.bytes);
    more = input.times * (read - std::exchange(input.read, read));
  }
  const std::lock_guard lock(line_mutex_);
  if (is_reading_ && line_ && more > 0) line_->advance(more);
}

void ReadProgress::watch(SortOptions& records) {
  if (!line_) return;
  records.progress = ProgressMode::kNever;
  records.watch = [this](const Progress& progress) { show(progress); };
  if (options_.warn) records.warn = [this](const Warning& warning) { warn(warning); };
  if (total_bytes_ != 0) line_->begin_phase("reading", total_bytes_);
}

void ReadProgress::show(const Progress& progress) {
  const std::lock_guard lock(line_mutex_);
  if (!line_ || (is_reading_ && total_bytes_ != 0)) return;
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    done_bytes_ = 0;
    line_->begin_phase(phase_, progress.total_bytes);
  }
  const std::uint64_t done = std::max(done_bytes_, progress.done_bytes);
  line_->advance(done - std::exchange(done_bytes_, done));
}

void ReadProgress::end() {
  const std::lock_guard lock(line_mutex_);
  if (!line_) return;
  line_->finish();
  line_.reset();
}

void ReadProgress::warn(const Warning& warning) {
  if (!options_.warn) return;
  const std::lock_guard lock(line_mutex_);
  if (line_) {
    line_->make_way_for([&] { options_.warn(warning); });
  } else {
    options_.warn(warning);
  }
}

}  // namespace sortie::formats
