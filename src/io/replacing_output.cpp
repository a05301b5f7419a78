#include "io/replacing_output.hpp"

#include <random>

#include <sortie/error.hpp>

namespace sortie {
namespace {

/// File names end at 255 bytes on common file systems; the rest is for the marks around the name.
constexpr std::size_t kLongestNamePart = 200;

std::string temporary_name(const std::string& name) {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, sizeof kLetters - 2);
  std::string temporary = ".";
  temporary.append(name, 0, kLongestNamePart).append(".sortie-");
  for (int i = 0; i < 6; ++i) temporary += kLetters[letter(random)];
  return temporary;
}

}  // namespace

ReplacingOutput::ReplacingOutput(FileSystem& files, const std::string& path, const FileStatus& target)
    : files_(files), target_(target), resolved_path_(files.resolve_links(path)) {
  const std::size_t slash = resolved_path_.rfind('/');
  const std::size_t name_begin = slash == std::string::npos ? 0 : slash + 1;
  directory_ = name_begin == 0 ? "." : resolved_path_.substr(0, name_begin);
  temporary_path_ = resolved_path_.substr(0, name_begin) + temporary_name(resolved_path_.substr(name_begin));
  const bool is_new = target_.kind == FileStatus::Kind::kMissing;
  file_ = files_.create(temporary_path_, {is_new ? 0666u : 0600u, path});
}

ReplacingOutput::~ReplacingOutput() {
  if (!renamed_) files_.remove(temporary_path_);
}

// One thread: the file's lock makes several no faster. Measured on tmpfs and ext4 with two threads,
// 4 GiB: one pwrite 5.6 and 6.2 GB/s, pwrites side by side 5.4 and 6.4, mapped memory 3.7 and 3.5.
void ReplacingOutput::write(std::span<const std::byte> bytes) {
  file_->write_at(written_bytes_, bytes);
  written_bytes_ += bytes.size();
}

void ReplacingOutput::expect(std::uint64_t bytes) {
  file_->allocate(bytes);
  allocated_bytes_ = bytes;
}

void ReplacingOutput::finish() {
  if (allocated_bytes_ > written_bytes_) file_->truncate(written_bytes_);
  if (target_.kind == FileStatus::Kind::kRegular) file_->adopt_permissions(target_);
  file_->sync();
  file_.reset();
  files_.rename(temporary_path_, resolved_path_);
  renamed_ = true;
  try {
    files_.sync_directory(directory_);
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete, but a power failure may undo it");
  }
}

}  // namespace sortie
