#include "formats/places/placed_files.hpp"

#include <algorithm>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/system_limits.hpp"

namespace sortie::formats {
namespace {

constexpr std::uint64_t kMostKeptOpen = 1024;
/// Runs, outputs and loaders of modules need files open, too.
constexpr std::uint64_t kShareOfDescriptors = 4;

[[noreturn]] void refuse_changed(const std::string& path) {
  throw Error("input " + quote_path(path) + ": it was changed while it was read; sort again when nobody writes to it");
}

}  // namespace

PlacedFiles::PlacedFiles(FileSystem& files, std::size_t most_open) : files_(files), most_open_(most_open) {
  if (most_open_ != 0) return;
  const std::uint64_t share = std::min(kMostKeptOpen, free_descriptors() / kShareOfDescriptors);
  most_open_ = static_cast<std::size_t>(std::max<std::uint64_t>(share, 1));
}

std::uint32_t PlacedFiles::add(std::unique_ptr<File> file) {
  const std::lock_guard lock(mutex_);
  Input input{file->path(), file->version(), std::move(file)};
  input.is_reopened = input.path != "-";
  const auto number = static_cast<std::uint32_t>(inputs_.size());
  inputs_.push_back(std::move(input));
  if (!inputs_.back().is_reopened) return number;
  if (open_.size() >= most_open_) close_one();
  open_.push_back(number);
  return number;
}

// Places come in the order of the keys, which says nothing of files: any will do.
void PlacedFiles::close_one() {
  next_closed_ = (next_closed_ + 1) % open_.size();
  inputs_[open_[next_closed_]].file.reset();
  open_[next_closed_] = open_.back();
  open_.pop_back();
}

std::shared_ptr<File> PlacedFiles::file(std::uint32_t input) {
  const std::lock_guard lock(mutex_);
  Input& wanted = inputs_[input];
  if (wanted.file) return wanted.file;
  std::shared_ptr<File> file = files_.open_input(wanted.path);
  if (file->version() != wanted.version) refuse_changed(wanted.path);
  if (open_.size() >= most_open_) close_one();
  open_.push_back(input);
  wanted.file = file;
  return file;
}

void PlacedFiles::read(std::uint32_t input, std::uint64_t offset, std::span<std::byte> target) {
  Reader(*this).read(input, offset, target);
}

void PlacedFiles::Reader::read(std::uint32_t input, std::uint64_t offset, std::span<std::byte> target) {
  if (target.empty()) return;
  if (!file_ || input_ != input) {
    file_ = files_.file(input);
    input_ = input;
  }
  if (file_->read_at(offset, target) < target.size()) refuse_changed(files_.path(input));
}

void PlacedFiles::check() {
  for (std::uint32_t input = 0; input < inputs_.size(); ++input) {
    if (file(input)->version() != inputs_[input].version) refuse_changed(path(input));
  }
}

}  // namespace sortie::formats
