// A FileSystem that makes the Nth operation fail, counted over all files. Loops over N = 1, 2, ... show that no
// failure loses data or leaves files behind. Hints, whose failure is reported to nobody, are not counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/quote.hpp"
#include "io/files/file.hpp"
#include "io/files/io_error.hpp"

namespace sortie::test {

/// Whether the output has its new contents after `error`, empty for none: once it has its name, only a sync can fail.
inline bool output_is_complete(const std::string& error) {
  return error.empty() || error.find("; the output is complete") != std::string::npos;
}

struct FaultPlan {
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t first = kNever;  ///< 1-based number of the operation that fails
  bool from_then_on = false;     ///< whether all later ones fail too
  /// Called at the first one, which then does not fail.
  std::function<void()> call_instead = {};
  int error_number = EIO;
  bool short_reads = false;     ///< stream reads return a single byte at a time
  bool needs_names = false;     ///< every file needs a name, as on some file systems
  bool cannot_reserve = false;  ///< space cannot be reserved, as on some file systems
  /// The free space that every directory reports; without a value, the real one.
  std::optional<std::uint64_t> free_bytes = std::nullopt;
};

/// Counts operations and decides which fail. Shared by a file system and its files.
class FaultCounter {
 public:
  explicit FaultCounter(const FaultPlan& plan) : plan_(plan) {}

  /// Whether this operation must fail now. For operations that may be refused without an error.
  bool fails(const char* action) {
    const std::uint64_t number = operations_.fetch_add(1) + 1;
    const bool is_its_turn = number == plan_.first || (plan_.from_then_on && number > plan_.first);
    if (number == plan_.first && plan_.call_instead) {
      plan_.call_instead();
      return false;
    }
    if (number == plan_.first) first_failed_ = action;
    return is_its_turn;
  }

  /// Throws Error as a real file would, if this operation must fail now.
  void operation(const char* action, const std::string& object, FileRole role) {
    if (fails(action)) throw_io_error(action, object, plan_.error_number, role);
  }

  const FaultPlan& plan() const { return plan_; }
  std::uint64_t operations() const { return operations_; }
  /// The first operation that failed; empty if none did.
  std::string first_failed() const { return first_failed_.load(); }

 private:
  FaultPlan plan_;
  std::atomic<std::uint64_t> operations_{0};
  std::atomic<const char*> first_failed_{""};
};

class FaultyMappedCopy final : public MappedCopy {
 public:
  FaultyMappedCopy(std::unique_ptr<MappedCopy> copy, FaultCounter& faults, std::string object)
      : copy_(std::move(copy)), faults_(faults), object_(std::move(object)) {}

  Damage check() override {
    faults_.operation("copy", object_, FileRole::kInput);
    return copy_->check();
  }
  void discard() override {
    faults_.operation("copy", object_, FileRole::kInput);
    copy_->discard();
  }

 private:
  std::unique_ptr<MappedCopy> copy_;
  FaultCounter& faults_;
  std::string object_;
};

class FaultyFile final : public File {
 public:
  FaultyFile(std::unique_ptr<File> file, FaultCounter& faults, FileRole role)
      : file_(std::move(file)), faults_(faults), role_(role) {}

  const std::string& path() const override { return file_->path(); }
  std::size_t read(std::span<std::byte> target) override {
    fault("read");
    return file_->read(faults_.plan().short_reads && !target.empty() ? target.first(1) : target);
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) override {
    fault("read");
    return file_->read_at(offset, target);
  }
  std::unique_ptr<MappedCopy> map_at(std::uint64_t offset, std::span<std::byte> target) override {
    if (faults_.fails("map")) return nullptr;
    auto copy = file_->map_at(offset, target);
    if (!copy) return nullptr;
    return std::make_unique<FaultyMappedCopy>(std::move(copy), faults_, quote_path(file_->path()));
  }
  MappedView view(std::uint64_t bytes) const override {
    return faults_.fails("view") ? MappedView() : file_->view(bytes);
  }
  void set_position(std::uint64_t offset) noexcept override { file_->set_position(offset); }
  void write(std::span<const std::byte> source) override {
    fault("write");
    file_->write(source);
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> source) override {
    fail_half_way(offset, source);
    file_->write_at(offset, source);
  }
  void write_mapped_at(std::uint64_t offset, std::span<const std::byte> source) override {
    fail_half_way(offset, source);
    file_->write_mapped_at(offset, source);
  }
  bool seekable() const override { return file_->seekable(); }
  std::uint64_t size() const override {
    fault("examine");
    return file_->size();
  }
  FileVersion version() const override {
    fault("examine");
    return file_->version();
  }
  bool allocate(std::uint64_t bytes) override {
    fault("reserve space for");
    return !faults_.plan().cannot_reserve && file_->allocate(bytes);
  }
  bool prepare_space(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    return !faults_.fails("prepare") && !faults_.plan().cannot_reserve && file_->prepare_space(offset, bytes);
  }
  bool prepare_huge_pages(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    return !faults_.fails("prepare") && !faults_.plan().cannot_reserve && file_->prepare_huge_pages(offset, bytes);
  }
  void truncate(std::uint64_t bytes) override {
    fault("set the size of");
    file_->truncate(bytes);
  }
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override { file_->release(offset, bytes); }
  void adopt_permissions(const FileStatus& status) override {
    fault("set the permissions of");
    file_->adopt_permissions(status);
  }
  void give_name(const std::string& path) override {
    fault("create");
    file_->give_name(path);
  }
  void start_writeback(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    file_->start_writeback(offset, bytes);
  }
  void start_reading(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    file_->start_reading(offset, bytes);
  }
  void write_around_cache() noexcept override { file_->write_around_cache(); }
  bool lies_in_memory() const noexcept override { return file_->lies_in_memory(); }
  void sync() override {
    fault("sync");
    file_->sync();
  }

 private:
  void fault(const char* action) const { faults_.operation(action, quote_path(file_->path()), role_); }

  // Writes half of the bytes before it fails, as on a disk that fills up.
  void fail_half_way(std::uint64_t offset, std::span<const std::byte> source) {
    try {
      fault("write");
    } catch (...) {
      file_->write_at(offset, source.first(source.size() / 2));
      throw;
    }
  }

  std::unique_ptr<File> file_;
  FaultCounter& faults_;
  FileRole role_;
};

/// Must outlive the files that it opens.
class FaultyFileSystem final : public FileSystem {
 public:
  FaultyFileSystem(FileSystem& files, const FaultPlan& plan) : files_(files), faults_(plan) {}

  std::uint64_t operations() const { return faults_.operations(); }
  std::string first_failed() const { return faults_.first_failed(); }

  std::unique_ptr<File> open_input(const std::string& path) override {
    faults_.operation("open", quote_path(path), FileRole::kInput);
    return wrap(files_.open_input(path), FileRole::kInput);
  }
  bool may_wait(const std::string& path) override {
    faults_.operation("open", quote_path(path), FileRole::kInput);
    return files_.may_wait(path);
  }
  std::unique_ptr<File> open_stream(const std::string& path, const FileStatus& status) override {
    faults_.operation("open", quote_path(path), FileRole::kOutput);
    return wrap(files_.open_stream(path, status), FileRole::kOutput);
  }
  std::unique_ptr<File> open_target(const std::string& path) override {
    faults_.operation("open", quote_path(path), FileRole::kOutput);
    return wrap(files_.open_target(path), FileRole::kOutput);
  }
  std::unique_ptr<File> create(const std::string& path, const CreateOptions& options) override {
    faults_.operation("open", quote_path(path), FileRole::kOutput);
    return wrap(files_.create(path, options), FileRole::kOutput);
  }
  std::unique_ptr<File> create_unlinked(const std::string& directory, const CreateOptions& options) override {
    if (faults_.plan().needs_names) return nullptr;
    faults_.operation("open", quote_path(options.shown_as), FileRole::kOutput);
    auto file = files_.create_unlinked(directory, options);
    return file ? wrap(std::move(file), FileRole::kOutput) : nullptr;
  }
  std::unique_ptr<File> create_unnamed(const std::string& directory) override {
    faults_.operation("create", "temporary file in " + quote_word(directory), FileRole::kScratch);
    return wrap(files_.create_unnamed(directory), FileRole::kScratch);
  }
  FileStatus status(const std::string& path) override {
    faults_.operation("examine", quote_path(path), FileRole::kOutput);
    return files_.status(path);
  }
  FileStatus target_status(const std::string& path) override {
    faults_.operation("examine", quote_path(path), FileRole::kOutput);
    return files_.target_status(path);
  }
  std::string resolve_links(const std::string& path) override {
    faults_.operation("follow", quote_path(path), FileRole::kOutput);
    return files_.resolve_links(path);
  }
  FreeSpace free_space(const std::string& directory) override {
    faults_.operation("examine", quote_path(directory), FileRole::kScratch);
    FreeSpace space = files_.free_space(directory);
    space.bytes = faults_.plan().free_bytes.value_or(space.bytes);
    return space;
  }
  void rename(const std::string& from, const std::string& to) override {
    faults_.operation("replace", quote_path(to), FileRole::kOutput);
    files_.rename(from, to);
  }
  void exchange(const std::string& a, const std::string& b) override {
    faults_.operation("replace", quote_path(b), FileRole::kOutput);
    files_.exchange(a, b);
  }
  void sync_file_system(const std::string& directory) override {
    faults_.operation("sync the file system of", quote_path(directory), FileRole::kOutput);
    files_.sync_file_system(directory);
  }
  void sync_directory(const std::string& directory) override {
    faults_.operation("sync the directory", quote_path(directory), FileRole::kOutput);
    files_.sync_directory(directory);
  }
  void remove(const std::string& path) noexcept override { files_.remove(path); }
  TemporaryNames::Lock hold_names() override { return files_.hold_names(); }

 private:
  std::unique_ptr<File> wrap(std::unique_ptr<File> file, FileRole role) {
    return std::make_unique<FaultyFile>(std::move(file), faults_, role);
  }

  FileSystem& files_;
  FaultCounter faults_;
};

}  // namespace sortie::test
