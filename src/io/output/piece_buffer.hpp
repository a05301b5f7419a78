// What a packed output holds back until there is work for all threads: a batch of pieces, each of which a thread packs
// by itself, and in front of it the end of the batch before, as a dictionary.
//
//   dictionary | piece | piece | ... | piece, the last one may be shorter | room
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sortie {

/// `batch_pieces`: how many pieces are packed together when there are enough.
struct PieceSizes {
  std::size_t piece_bytes;
  std::size_t dictionary_bytes;
  std::size_t batch_pieces;
};

class PieceBuffer {
 public:
  explicit PieceBuffer(const PieceSizes& sizes) : sizes_(sizes) {}

  /// Takes from the front of `bytes` what there is room for, and returns the rest.
  std::span<const std::byte> fill(std::span<const std::byte> bytes);
  std::size_t most_pieces() const { return sizes_.batch_pieces; }
  bool is_full() const { return batch().size() == sizes_.batch_pieces * sizes_.piece_bytes; }

  std::span<const std::byte> batch() const { return std::span(bytes_).subspan(known_bytes_); }
  std::size_t pieces() const;
  std::span<const std::byte> piece(std::size_t i) const;
  /// What is before a piece, as far as it serves as its dictionary.
  std::span<const std::byte> dictionary(std::size_t i) const;

  /// Forgets the batch but for what is the dictionary of the next.
  void begin_batch();

 private:
  PieceSizes sizes_;
  std::vector<std::byte> bytes_;
  std::size_t known_bytes_ = 0;  // of the dictionary in front
};

}  // namespace sortie
