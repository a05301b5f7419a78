#include "pipeline/parts/waiting_bytes.hpp"

#include <algorithm>
#include <string>

#include <sortie/error.hpp>

namespace sortie {
namespace {

/// Memory for them; more at once goes straight to the file.
constexpr std::size_t kMostInMemory = 1 << 20;
/// What is read at a time.
constexpr std::size_t kPieceBytes = 4 << 20;

}  // namespace

void WaitingBytes::append(std::span<const std::byte> bytes) {
  if (memory_.size() + bytes.size() > kMostInMemory) {
    spill();
    if (bytes.size() > kMostInMemory) {
      file_->write_at(file_bytes_, bytes);
      file_bytes_ += bytes.size();
      return;
    }
  }
  memory_.insert(memory_.end(), bytes.begin(), bytes.end());
}

void WaitingBytes::spill() {
  if (!file_) file_ = scratch_.create();
  file_->write_at(file_bytes_, memory_);
  file_bytes_ += memory_.size();
  memory_.clear();
}

// A piece that holds no whole record grows.
void WaitingBytes::release(const Layout& layout, const std::function<void(std::span<const std::byte>)>& visit) {
  if (!file_) {
    const std::vector<std::byte> all = std::move(memory_);
    memory_.clear();
    if (!all.empty()) visit(all);
    return;
  }
  spill();
  std::vector<std::byte> piece;
  std::size_t held = 0;  // the beginning of a record, from the piece before
  std::size_t wanted = kPieceBytes;
  for (std::uint64_t at = 0; at < file_bytes_;) {
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, file_bytes_ - at));
    piece.resize(held + more);
    if (file_->read_at(at, std::span(piece).subspan(held)) != more) throw Error("a scratch file has lost its end");
    at += more;
    const std::size_t whole = at == file_bytes_ ? piece.size() : whole_records(layout, piece);
    if (whole > 0) visit(std::span(piece).first(whole));
    held = piece.size() - whole;
    std::copy(piece.begin() + static_cast<std::ptrdiff_t>(whole), piece.end(), piece.begin());
    wanted = whole > 0 ? kPieceBytes : piece.size();
  }
  file_.reset();
  file_bytes_ = 0;
}

}  // namespace sortie
