#include "io/output/piece_buffer.hpp"

#include <algorithm>

#include "base/size.hpp"

namespace sortie {

std::span<const std::byte> PieceBuffer::fill(std::span<const std::byte> bytes) {
  bytes_.reserve(sizes_.dictionary_bytes + sizes_.batch_pieces * sizes_.piece_bytes);
  const std::size_t room = sizes_.batch_pieces * sizes_.piece_bytes - batch().size();
  const std::span<const std::byte> taken = bytes.first(std::min(room, bytes.size()));
  bytes_.insert(bytes_.end(), taken.begin(), taken.end());
  return bytes.subspan(taken.size());
}

std::size_t PieceBuffer::pieces() const { return divide_up(batch().size(), sizes_.piece_bytes); }

std::span<const std::byte> PieceBuffer::piece(std::size_t i) const {
  const std::span<const std::byte> from = batch().subspan(i * sizes_.piece_bytes);
  return from.first(std::min(sizes_.piece_bytes, from.size()));
}

std::span<const std::byte> PieceBuffer::dictionary(std::size_t i) const {
  const std::size_t end = known_bytes_ + i * sizes_.piece_bytes;
  const std::size_t bytes = std::min(end, sizes_.dictionary_bytes);
  return std::span(bytes_).subspan(end - bytes, bytes);
}

void PieceBuffer::begin_batch() {
  known_bytes_ = std::min(bytes_.size(), sizes_.dictionary_bytes);
  bytes_.erase(bytes_.begin(), bytes_.end() - static_cast<std::ptrdiff_t>(known_bytes_));
}

}  // namespace sortie
