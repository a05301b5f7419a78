#include "run/file_run_storage.hpp"

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

namespace sortie {

std::uint64_t FileRunStorage::reserve(std::uint64_t bytes) {
  const std::uint64_t offset = file_->reserve(bytes);
  end_ = offset + bytes;
  return offset;
}

void FileRunStorage::write(std::uint64_t offset, std::span<const std::byte> bytes) { file().write_at(offset, bytes); }

void FileRunStorage::read(std::uint64_t offset, std::span<std::byte> target) const {
  if (file().read_at(offset, target) == target.size()) return;
  throw Error("run file " + name() + " cannot be used: it ends too early");
}

std::span<const std::byte> FileRunStorage::view(std::uint64_t offset, std::uint64_t bytes) const {
  const std::span<const std::byte> all = file_->view(end_);
  return all.empty() ? all : all.subspan(offset, bytes);
}

void FileRunStorage::release(std::uint64_t offset, std::uint64_t bytes) noexcept { file().release(offset, bytes); }

std::string FileRunStorage::name() const { return quote_word(file().path()); }

}  // namespace sortie
