// A run in a file, usually an unnamed one in scratch space that other runs may share. Made by run formation when memory
// is used up, and by open_run_file() for a run file that exists.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "io/files/file.hpp"
#include "io/mapping/mapped_file.hpp"
#include "io/output/parallel_writer.hpp"
#include "run/run.hpp"

namespace sortie {

/// A file that holds one run, or several if no more files may be open. Each run reserves its bytes at the end, and
/// knows where they are. Shared by the storages of its runs.
class ScratchFile {
 public:
  /// `used_bytes`: what the file holds already.
  explicit ScratchFile(std::unique_ptr<File> file, std::uint64_t used_bytes = 0)
      : file_(std::move(file)), used_bytes_(used_bytes) {}

  File& file() const { return *file_; }

  /// Makes room at the end. Returns its offset. Thread-safe.
  std::uint64_t reserve(std::uint64_t bytes);

  /// A view of the first `bytes`, which must be written; valid as long as this object. Empty unless the file lies in
  /// memory. Thread-safe.
  std::span<const std::byte> view(std::uint64_t bytes);

  /// Whether all bytes read through view() were the stored ones: a page may have been lost. Thread-safe.
  bool view_is_intact() const;

  std::uint64_t used_bytes() const;

  /// Whether space is prepared for a run that is being written: its records may lie in the file before their bytes are
  /// reserved, and no other run may begin here. Thread-safe.
  bool is_prepared() const { return is_prepared_; }
  void set_prepared(bool is_prepared) { is_prepared_ = is_prepared; }

  /// Gives back space behind what is used. Thread-safe.
  void trim();

 private:
  std::unique_ptr<File> file_;
  mutable std::mutex mutex_;
  std::uint64_t used_bytes_;
  std::atomic<bool> is_prepared_ = false;
  std::deque<MappedView> views_;  // each longer than the one before
};

class FileRunStorage final : public RunStorage {
 public:
  /// A new run in `file`. `meter` may be null. `writer`: prepares space of the file, which is empty, and is to write
  /// long stretches; may be null. With it the file is the run's alone until complete().
  explicit FileRunStorage(std::shared_ptr<ScratchFile> file, std::shared_ptr<RunMeter> meter = nullptr,
                          std::unique_ptr<ParallelWriter> writer = nullptr)
      : file_(std::move(file)), meter_(std::move(meter)), writer_(std::move(writer)) {
    if (writer_) file_->set_prepared(true);
  }
  /// A run in a file of its own. `used_bytes`: what the file holds already.
  explicit FileRunStorage(std::unique_ptr<File> file, std::uint64_t used_bytes = 0)
      : file_(std::make_shared<ScratchFile>(std::move(file), used_bytes)), end_(used_bytes) {}

  std::uint64_t reserve(std::uint64_t bytes) override;
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void write_stretch(std::uint64_t offset, std::span<const std::byte> bytes) override;
  /// Huge pages that have been made for all of the run.
  std::span<std::byte> room(std::uint64_t offset, std::uint64_t bytes) override {
    return writer_ ? writer_->early_room(offset, bytes, false) : std::span<std::byte>();
  }
  /// Gives back space that was prepared and not used.
  void complete() override;
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  void expect_read(std::uint64_t offset, std::uint64_t bytes) const noexcept override {
    file().start_reading(offset, bytes);
  }
  /// Only a file that lies in memory gives a view. Precondition: the run is finished.
  std::span<const std::byte> view(std::uint64_t offset, std::uint64_t bytes) const override;
  bool view_is_intact() const override { return file_->view_is_intact(); }
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool in_file() const override { return true; }
  std::string path() const override { return file().path(); }

 private:
  File& file() const { return file_->file(); }
  void time(RunMeter::Transfer kind, std::uint64_t bytes, const std::function<void()>& transfer) const;

  std::shared_ptr<ScratchFile> file_;
  std::shared_ptr<RunMeter> meter_;
  std::unique_ptr<ParallelWriter> writer_;  // while the run is written
  std::uint64_t end_ = 0;                   // offset behind the run's last byte
};

}  // namespace sortie
