// The files of a PowerCutDisk, up to the operation at which the power is cut. That operation fails with all later
// ones, or alone, as on a disk that was full for a moment. Only changes to the disk count as operations.
#pragma once

#include <limits>

#include "io/files/file.hpp"
#include "io/files/private_directory.hpp"
#include "support/power_cut_disk.hpp"

namespace sortie::test {

/// Counts operations; shared by a file system and its files.
class PowerSupply {
 public:
  PowerSupply(std::uint64_t cut_at, bool comes_back) : cut_at_(cut_at), comes_back_(comes_back) {}

  /// Throws Error if the power is gone. Called with the disk's mutex held.
  void use() {
    if (!use_if_there()) throw Error("the power was cut");
  }
  bool use_if_there() { return ++operations_ < cut_at_ || (comes_back_ && operations_ > cut_at_); }
  bool is_cut() const { return operations_ >= cut_at_; }
  std::uint64_t operations() const { return operations_; }

 private:
  std::uint64_t cut_at_;
  bool comes_back_;
  std::uint64_t operations_ = 0;
};

class PowerCutFile final : public File {
 public:
  PowerCutFile(PowerCutDisk& disk, PowerSupply& power, std::string path, PowerCutDisk::NodePointer node)
      : disk_(disk), power_(power), path_(std::move(path)), node_(std::move(node)) {}

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override {
    const std::size_t bytes = read_at(position_, target);
    position_ += bytes;
    return bytes;
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) override {
    const std::scoped_lock lock(disk_.mutex);
    const std::string& contents = node_->contents;
    if (offset >= contents.size()) return 0;
    const std::size_t bytes = std::min<std::size_t>(target.size(), contents.size() - offset);
    if (bytes > 0) std::memcpy(target.data(), contents.data() + offset, bytes);
    return bytes;
  }
  void set_position(std::uint64_t offset) noexcept override { position_ = offset; }
  void write(std::span<const std::byte> source) override {
    write_at(position_, source);
    position_ += source.size();
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> source) override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    std::string& contents = node_->contents;
    contents.resize(std::max<std::size_t>(contents.size(), offset + source.size()));
    if (!source.empty()) std::memcpy(contents.data() + offset, source.data(), source.size());
  }
  void write_mapped_at(std::uint64_t offset, std::span<const std::byte> source) override { write_at(offset, source); }
  bool seekable() const override { return true; }
  std::uint64_t size() const override {
    const std::scoped_lock lock(disk_.mutex);
    return node_->contents.size();
  }
  FileVersion version() const override { return {.bytes = size()}; }
  bool allocate(std::uint64_t) override { return false; }
  bool prepare_space(std::uint64_t, std::uint64_t) noexcept override { return false; }
  void truncate(std::uint64_t bytes) override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    node_->contents.resize(bytes);
  }
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    const std::scoped_lock lock(disk_.mutex);
    if (!power_.use_if_there()) return;
    const auto begin = node_->contents.begin() + static_cast<std::ptrdiff_t>(offset);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(bytes), '\0');
  }
  void adopt_permissions(const FileStatus&) override {}
  void give_name(const std::string& path) override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    disk_.change(disk_.directory_of(path), {PowerCutDisk::name_in(path), "", node_});
  }
  void start_writeback(std::uint64_t, std::uint64_t) noexcept override {}
  void start_reading(std::uint64_t, std::uint64_t) noexcept override {}
  void write_around_cache() noexcept override {}
  void sync() override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    node_->durable = node_->contents;
  }

 private:
  PowerCutDisk& disk_;
  PowerSupply& power_;
  std::string path_;
  PowerCutDisk::NodePointer node_;
  std::uint64_t position_ = 0;
};

class PowerCutDirectory final : public PrivateDirectory {
 public:
  /// Called with the disk's mutex held.
  PowerCutDirectory(PowerCutDisk& disk, PowerSupply& power, std::string path, bool is_new)
      : disk_(disk), power_(power), path_(std::move(path)), is_new_(is_new) {
    disk_.directory(path_).is_locked = true;
  }
  ~PowerCutDirectory() override {
    const std::scoped_lock lock(disk_.mutex);
    if (disk_.has_directory(path_)) disk_.directory(path_).is_locked = false;
  }

  const std::string& path() const override { return path_; }
  bool is_new() const override { return is_new_; }
  std::vector<std::string> names() override {
    const std::scoped_lock lock(disk_.mutex);
    std::vector<std::string> names;
    for (const auto& [name, node] : disk_.directory(path_).names) names.push_back(name);
    return names;
  }
  std::unique_ptr<File> create(const std::string& name) override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    PowerCutDisk::Directory& directory = disk_.directory(path_);
    if (directory.names.contains(name)) throw Error(name + " is there already");
    const auto node = disk_.make_node();
    disk_.change(directory, {name, "", node});
    return std::make_unique<PowerCutFile>(disk_, power_, path_ + "/" + name, node);
  }
  std::unique_ptr<File> open(const std::string& name) override {
    const std::scoped_lock lock(disk_.mutex);
    const auto node = disk_.find(path_ + "/" + name);
    return node ? std::make_unique<PowerCutFile>(disk_, power_, path_ + "/" + name, node) : nullptr;
  }
  void rename(const std::string& from, const std::string& to) override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    if (disk_.directory(path_).names.contains(to)) throw Error(to + " is there already");
    disk_.change(disk_.directory(path_), {to, from, disk_.find(path_ + "/" + from)});
  }
  bool remove(const std::string& name) noexcept override {
    const std::scoped_lock lock(disk_.mutex);
    if (!power_.use_if_there()) return false;
    disk_.change(disk_.directory(path_), {"", name, nullptr});
    return true;
  }
  void sync() override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    PowerCutDisk::sync(disk_.directory(path_));
  }
  void remove_itself() noexcept override {
    const std::scoped_lock lock(disk_.mutex);
    if (power_.use_if_there()) disk_.remove_directory(path_);
  }

 private:
  PowerCutDisk& disk_;
  PowerSupply& power_;
  std::string path_;
  bool is_new_;
};

/// Must outlive the files that it opens.
class PowerCutFileSystem : public FileSystem {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  explicit PowerCutFileSystem(PowerCutDisk& disk, std::uint64_t cut_at = kNever, bool comes_back = false)
      : disk_(disk), power_(cut_at, comes_back) {}

  bool is_cut() const { return power_.is_cut(); }
  std::uint64_t operations() const { return power_.operations(); }

  std::unique_ptr<File> open_input(const std::string& path) override {
    const std::scoped_lock lock(disk_.mutex);
    const auto node = disk_.find(path);
    if (!node) throw Error(path + " is missing");
    return open(path, node);
  }
  bool may_wait(const std::string&) override { return false; }
  std::unique_ptr<File> open_stream(const std::string& path, const FileStatus&) override {
    throw Error(path + " is no stream");
  }
  std::unique_ptr<File> open_target(const std::string& path) override { return open_input(path); }
  std::unique_ptr<File> create(const std::string& path, const CreateOptions&) override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    const auto node = disk_.make_node();
    disk_.change(disk_.directory_of(path), {PowerCutDisk::name_in(path), "", node});
    return open(path, node);
  }
  std::unique_ptr<File> create_unlinked(const std::string& directory, const CreateOptions&) override {
    return create_unnamed(directory);
  }
  std::unique_ptr<File> create_unnamed(const std::string& directory) override {
    const std::scoped_lock lock(disk_.mutex);
    return open(directory, disk_.make_node());
  }
  FileStatus status(const std::string& path) override {
    const std::scoped_lock lock(disk_.mutex);
    FileStatus status;
    status.writable = status.replaceable = true;
    if (disk_.has_directory(path)) {
      status.kind = FileStatus::Kind::kDirectory;
      status.device = 1;  // no file is on this device
      status.inode = std::hash<std::string>()(path);
    }
    if (const auto node = disk_.has_directory(path) ? nullptr : disk_.find(path)) {
      status.kind = FileStatus::Kind::kRegular;
      status.bytes = node->contents.size();
      status.inode = node->number;
    }
    return status;
  }
  std::string resolve_links(const std::string& path) override { return path; }
  FreeSpace free_space(const std::string&) override { return {1, std::uint64_t{1} << 40}; }
  std::unique_ptr<PrivateDirectory> open_private_directory(const std::string& path) override {
    const std::scoped_lock lock(disk_.mutex);
    const bool is_new = !disk_.has_directory(path);
    if (is_new) power_.use();
    if (disk_.directory(path).is_locked) throw Error(path + " is in use");
    return std::make_unique<PowerCutDirectory>(disk_, power_, path, is_new);
  }
  void rename(const std::string& from, const std::string& to) override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    disk_.change(disk_.directory_of(to), {PowerCutDisk::name_in(to), PowerCutDisk::name_in(from), disk_.find(from)});
  }
  void exchange(const std::string&, const std::string& b) override { throw Error(b + " is no part of a sort here"); }
  void sync_file_system(const std::string& path) override { sync_directory(path); }
  void sync_directory(const std::string& path) override {
    const std::scoped_lock lock(disk_.mutex);
    power_.use();
    PowerCutDisk::sync(disk_.directory(path.ends_with('/') ? path.substr(0, path.size() - 1) : path));
  }
  void remove(const std::string& path) noexcept override {
    const std::scoped_lock lock(disk_.mutex);
    if (power_.use_if_there()) disk_.change(disk_.directory_of(path), {"", PowerCutDisk::name_in(path), nullptr});
  }

 private:
  std::unique_ptr<File> open(const std::string& path, PowerCutDisk::NodePointer node) {
    return std::make_unique<PowerCutFile>(disk_, power_, path, std::move(node));
  }

  PowerCutDisk& disk_;
  PowerSupply power_;
};

}  // namespace sortie::test
