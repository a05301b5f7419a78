#include "run/kept_run_storage.hpp"

namespace sortie {
namespace {

/// As much as outputs are written back at a time: see replacing_output.cpp.
constexpr std::uint64_t kWritebackBytes = 64 << 20;

}  // namespace

std::uint64_t KeptRunStorage::reserve(std::uint64_t bytes) {
  const std::uint64_t offset = FileRunStorage::reserve(bytes);
  if (offset - written_back_bytes_ >= kWritebackBytes) {
    file().start_writeback(written_back_bytes_, offset - written_back_bytes_);
    written_back_bytes_ = offset;
  }
  return offset;
}

}  // namespace sortie
