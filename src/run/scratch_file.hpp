// A file that holds one run, or several if no more files may be open. Each run reserves its bytes at the end, and knows
// where they are. Shared by the storages of its runs.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "io/file.hpp"
#include "io/mapped_view.hpp"

namespace sortie {

class ScratchFile {
 public:
  /// `used_bytes`: what the file holds already.
  explicit ScratchFile(std::unique_ptr<File> file, std::uint64_t used_bytes = 0)
      : file_(std::move(file)), used_bytes_(used_bytes) {}

  File& file() const { return *file_; }

  /// Makes room at the end. Returns its offset. Thread-safe.
  std::uint64_t reserve(std::uint64_t bytes);

  /// A view of the first `bytes`, which must be written; valid as long as this object. Empty unless the file lies in
  /// memory. Thread-safe.
  std::span<const std::byte> view(std::uint64_t bytes);

  /// Whether all bytes read through view() were the stored ones: a page may have been lost. Thread-safe.
  bool view_is_intact() const;

  std::uint64_t used_bytes() const;

 private:
  std::unique_ptr<File> file_;
  mutable std::mutex mutex_;
  std::uint64_t used_bytes_;
  std::deque<MappedView> views_;  // each longer than the one before
};

}  // namespace sortie
