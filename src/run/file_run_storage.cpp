#include "run/file_run_storage.hpp"

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

namespace sortie {

std::uint64_t FileRunStorage::reserve(std::uint64_t bytes) {
  const std::uint64_t offset = used_bytes_;
  used_bytes_ += bytes;
  return offset;
}

void FileRunStorage::write(std::uint64_t offset, std::span<const std::byte> bytes) { file_->write_at(offset, bytes); }

void FileRunStorage::read(std::uint64_t offset, std::span<std::byte> target) const {
  if (file_->read_at(offset, target) == target.size()) return;
  throw Error("run file " + name() + " cannot be used: it ends too early");
}

std::span<const std::byte> FileRunStorage::view(std::uint64_t offset, std::uint64_t bytes) const {
  std::call_once(view_once_, [this] { view_ = file_->view(used_bytes_); });
  return view_.bytes().empty() ? view_.bytes() : view_.bytes().subspan(offset, bytes);
}

void FileRunStorage::release(std::uint64_t offset, std::uint64_t bytes) noexcept { file_->release(offset, bytes); }

std::string FileRunStorage::name() const { return quote_word(file_->path()); }

}  // namespace sortie
