#include "run/kept_run_storage.hpp"

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

namespace sortie {
namespace {

/// Bytes that are written back at a time, as many as for outputs: see result_file.cpp.
constexpr std::uint64_t kWritebackBytes = 64 << 20;

}  // namespace

std::uint64_t KeptRunStorage::reserve(std::uint64_t bytes) {
  const std::uint64_t offset = std::exchange(used_bytes_, used_bytes_ + bytes);
  if (offset - written_back_bytes_ >= kWritebackBytes) {
    file_->start_writeback(written_back_bytes_, offset - written_back_bytes_);
    written_back_bytes_ = offset;
  }
  return offset;
}

void KeptRunStorage::read(std::uint64_t offset, std::span<std::byte> target) const {
  if (file_) return read(*file_, offset, target);
  const OpenRunFiles::Slot slot = open_files_->passing();
  const std::unique_ptr<File> file = source_.open();
  if (!file) refuse("it is missing");
  read(*file, offset, target);
}

void KeptRunStorage::read(File& file, std::uint64_t offset, std::span<std::byte> target) const {
  if (file.read_at(offset, target) != target.size()) refuse("it ends too early");
}

void KeptRunStorage::settle() {
  file_->sync();
  lasting_ = open_files_->try_lasting();
  if (!lasting_) file_.reset();
}

std::string KeptRunStorage::name() const { return quote_word(source_.path); }

void KeptRunStorage::refuse(const std::string& reason) const {
  throw Error("run file " + name() + " cannot be used: " + reason);
}

}  // namespace sortie
