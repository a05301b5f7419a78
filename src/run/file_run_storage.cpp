#include "run/file_run_storage.hpp"

#include <algorithm>

#include <sortie/error.hpp>
#include <sortie/run_error.hpp>

namespace sortie {

std::uint64_t ScratchFile::reserve(std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  return std::exchange(used_bytes_, used_bytes_ + bytes);
}

std::span<const std::byte> ScratchFile::view(std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  const bool is_known = !views_.empty() && (views_.back().bytes().empty() || views_.back().bytes().size() >= bytes);
  if (!is_known) views_.push_back(file_->view(bytes));
  return views_.back().bytes();
}

bool ScratchFile::view_is_intact() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::all_of(views_, &MappedView::is_intact);
}

std::uint64_t ScratchFile::used_bytes() const {
  const std::scoped_lock lock(mutex_);
  return used_bytes_;
}

void ScratchFile::trim() {
  const std::scoped_lock lock(mutex_);
  file_->truncate(used_bytes_);
}

std::uint64_t FileRunStorage::reserve(std::uint64_t bytes) {
  if (meter_) meter_->grow(bytes);
  const std::uint64_t offset = file_->reserve(bytes);
  end_ = offset + bytes;
  return offset;
}

void FileRunStorage::time(RunMeter::Transfer kind, std::uint64_t bytes, const std::function<void()>& transfer) const {
  if (meter_) {
    meter_->time(kind, bytes, transfer);
  } else {
    transfer();
  }
}

void FileRunStorage::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  time(RunMeter::Transfer::kWrite, bytes.size(), [&] { file().write_at(offset, bytes); });
}

void FileRunStorage::write_stretch(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!writer_) return write(offset, bytes);
  time(RunMeter::Transfer::kWrite, bytes.size(), [&] { writer_->write_at(offset, bytes); });
  writer_->finish_early(offset + bytes.size());
}

void FileRunStorage::complete() {
  if (!writer_) return;
  const bool is_longer = writer_->reserved_bytes() > end_;
  writer_.reset();  // it may still be preparing space
  if (is_longer) file_->trim();
  file_->set_prepared(false);
}

void FileRunStorage::read(std::uint64_t offset, std::span<std::byte> target) const {
  std::size_t got = 0;
  time(RunMeter::Transfer::kRead, target.size(), [&] { got = file().read_at(offset, target); });
  if (got != target.size()) throw DamagedFile(path(), "run file " + name() + " cannot be used: it ends too early");
}

std::span<const std::byte> FileRunStorage::view(std::uint64_t offset, std::uint64_t bytes) const {
  const std::span<const std::byte> all = file_->view(end_);
  return all.empty() ? all : all.subspan(offset, bytes);
}

void FileRunStorage::release(std::uint64_t offset, std::uint64_t bytes) noexcept {
  file().release(offset, bytes);
  if (meter_) meter_->shrink(bytes);
}

}  // namespace sortie
