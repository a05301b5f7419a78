#include "run/kept_run_storage.hpp"

#include <sortie/error.hpp>
#include <sortie/run_error.hpp>

namespace sortie {
namespace {

/// Bytes that are written back at a time, as many as for outputs: see result_file.cpp.
constexpr std::uint64_t kWritebackBytes = 64 << 20;

}  // namespace

std::uint64_t KeptRunStorage::reserve(std::uint64_t bytes) {
  meter_->grow(bytes);
  const std::uint64_t offset = std::exchange(used_bytes_, used_bytes_ + bytes);
  if (offset - written_back_bytes_ >= kWritebackBytes) {
    file_->start_writeback(written_back_bytes_, offset - written_back_bytes_);
    written_back_bytes_ = offset;
  }
  return offset;
}

void KeptRunStorage::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  meter_->time(RunMeter::Transfer::kWrite, bytes.size(), [&] { file_->write_at(offset, bytes); });
}

void KeptRunStorage::read(std::uint64_t offset, std::span<std::byte> target) const {
  meter_->time(RunMeter::Transfer::kRead, target.size(), [&] { read_now(offset, target); });
}

void KeptRunStorage::read_now(std::uint64_t offset, std::span<std::byte> target) const {
  if (file_) return read_from(*file_, offset, target);
  const OpenRunFiles::Slot slot = open_files_->passing();
  const std::unique_ptr<File> file = source_.open();
  if (!file) refuse("it is missing");
  read_from(*file, offset, target);
}

void KeptRunStorage::read_from(File& file, std::uint64_t offset, std::span<std::byte> target) const {
  if (file.read_at(offset, target) != target.size()) refuse("it ends too early");
}

void KeptRunStorage::complete() {
  meter_->time(RunMeter::Transfer::kSync, 0, [&] { file_->sync(); });
  lasting_ = open_files_->try_lasting();
  if (!lasting_) file_.reset();
}

void KeptRunStorage::refuse(const std::string& reason) const {
  throw DamagedFile(path(), "run file " + name() + " cannot be used: " + reason);
}

}  // namespace sortie
