#include "run/scratch_file.hpp"

#include <algorithm>

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

}  // namespace sortie
