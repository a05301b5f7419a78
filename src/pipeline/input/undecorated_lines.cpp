#include "pipeline/input/undecorated_lines.hpp"

#include <algorithm>
#include <cstdint>

namespace sortie {
namespace {

constexpr std::uint64_t kAnyNumber = ~std::uint64_t{0};
constexpr std::size_t kLeastBytes = 4 << 10;

}  // namespace

// Reads no more than is decorated next: so lines stay in the caches, and little memory is touched.
UndecoratedLines::Portion CopiedLines::next(std::size_t batch_bytes, std::size_t piece_bytes) {
  const std::size_t usual = std::max<std::size_t>(kLeastBytes, budget_.read_bytes());
  const std::size_t most = std::max(usual, std::min<std::size_t>(piece_bytes, budget_.longest_line_bytes));
  if (memory_.size() != usual) memory_ = MemoryRegion(usual);
  const std::size_t wanted = std::clamp(batch_bytes, kLeastBytes, usual);
  PieceSource::Piece piece = reader_.read(memory_.bytes().first(wanted), kAnyNumber);
  if (piece.status == PieceSource::Status::kTooSmall && wanted < usual)
    piece = reader_.read(memory_.bytes(), kAnyNumber);
  while (piece.status == PieceSource::Status::kTooSmall && memory_.size() < most) {
    const std::size_t larger =
        std::min(std::max(memory_.size() + memory_.size() / 2, piece.bytes + piece.bytes / 8), most);
    memory_ = MemoryRegion();
    memory_ = MemoryRegion(larger);
    piece = reader_.read(memory_.bytes(), kAnyNumber);
  }
  if (piece.status != PieceSource::Status::kRecords) return {piece.status, {}};
  Portion lines{piece.status, memory_.bytes().first(piece.bytes)};
  if (places_) {
    const InputMark begin = reader_.begin_of_last_piece();
    lines.place = places_->first_of(begin.input) + begin.offset;
  }
  return lines;
}

}  // namespace sortie
