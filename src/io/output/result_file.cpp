#include "io/output/result_file.hpp"

#include <utility>

#include <sortie/error.hpp>

#include "base/random_bits.hpp"
#include "base/size.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

/// File names end at 255 bytes on common file systems; the rest is for the marks around the name.
constexpr std::size_t kLongestNamePart = 200;

/// Writing to the disk starts whenever this much is new: 2 GiB written and synced take 0.75 s instead of 0.89, of which
/// 0.05 s instead of 0.5 come after the last byte (ext4 on a virtual disk of 3 GB/s).
constexpr std::uint64_t kWritebackBytes = 64 << 20;

std::string hidden_name(const std::string& name, std::uint64_t bits) {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr std::size_t kLetterCount = sizeof kLetters - 1;
  std::string temporary = name.substr(0, kLongestNamePart) + ".sortie-";
  for (int i = 0; i < 6; ++i, bits /= kLetterCount) temporary += kLetters[bits % kLetterCount];
  return temporary;
}

std::string hidden_path(const std::string& path, std::uint64_t bits) {
  const std::string name = name_in_directory(path);
  return path.substr(0, path.size() - name.size()) + "." + hidden_name(name, bits);
}

}  // namespace

std::string temporary_name(const std::string& name) { return hidden_name(name, random_bits()); }

std::string hidden_path_beside(const std::string& path) { return hidden_path(path, random_bits()); }

std::optional<std::string> hidden_path_beside(const std::string& path, std::uint64_t bits) {
  if (name_in_directory(path).size() > kLongestNamePart) return std::nullopt;
  return hidden_path(path, bits);
}

CreateOptions creation_for(const FileStatus& target, const std::string& path) {
  return {target.kind == FileStatus::Kind::kMissing ? 0666u : 0600u, path};
}

// Nobody but this user can open a file without a name, or with a temporary one: what is in it is not complete, and its
// permissions are not yet those of the target.
ResultFile::ResultFile(FileSystem& files, const std::string& directory, std::string temporary_path,
                       const CreateOptions& how, TemporaryNames* names)
    : ResultFile(files, std::move(temporary_path), names) {
  file_ = files_.create_unlinked(directory, how);
  if (!file_) {
    const auto lock = name_.hold();
    file_ = files_.create(name_.path(), {0600, how.shown_as, how.is_scratch});
    has_name_ = true;
  }
  writer_ = std::make_unique<ParallelWriter>(*file_);
}

ResultFile::ResultFile(FileSystem& files, std::string temporary_path, TemporaryNames* names)
    : files_(files), name_(names, std::move(temporary_path)) {}

ResultFile::~ResultFile() { remove(); }

void ResultFile::remove() noexcept {
  if (!has_name_ || is_kept_) return;
  files_.remove(name_.path());
  has_name_ = false;
}

void ResultFile::write(std::span<const std::byte> bytes) {
  writer_->write_at(written_bytes_, bytes);
  written_bytes_ += bytes.size();
  writer_->finish_early(written_bytes_);
  if (written_bytes_ - writeback_bytes_ < kWritebackBytes) return;
  // Bytes on their way to the disk should not change: only whole pages are sent.
  const std::uint64_t whole_bytes = round_down(written_bytes_, kWritebackBytes);
  file_->start_writeback(writeback_bytes_, whole_bytes - writeback_bytes_);
  writeback_bytes_ = whole_bytes;
}

void ResultFile::expect(std::uint64_t bytes) { writer_->reserve(bytes); }

void ResultFile::complete() {
  const std::uint64_t reserved_bytes = writer_->reserved_bytes();
  writer_.reset();  // it may still be preparing space
  if (file_->size() < written_bytes_) throw Error("internal check failed: the output is shorter than what was written");
  if (reserved_bytes > written_bytes_) file_->truncate(written_bytes_);
}

void ResultFile::take_temporary_name() {
  if (has_name_) return;
  const auto lock = name_.hold();
  file_->give_name(name_.path());
  has_name_ = true;
}

void ResultFile::replace(const std::string& path) {
  files_.rename(name_.path(), path);
  has_name_ = false;
}

void ResultFile::take_back(const std::string& path) {
  files_.rename(path, name_.path());
  has_name_ = true;
}

void ResultFile::keep(const std::string& farewell) {
  take_temporary_name();
  name_.keep(farewell);
  is_kept_ = true;
}

void ResultFile::drop() {
  name_.keep("");
  is_kept_ = false;
  files_.remove(name_.path());
  has_name_ = false;
}

}  // namespace sortie
