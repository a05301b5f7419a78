// An output that packs its bytes by batches, with all threads, while the next batch comes.
//
//   caller   fill batch 1 ──▶ fill batch 2 ──▶ write batch 1 ── fill batch 3 ──▶ write batch 2 ── ...
//   packer                    pack batch 1     pack batch 2                      pack batch 3
#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/raw_bytes.hpp"
#include "base/task_thread.hpp"
#include "io/output/packed_output.hpp"

namespace sortie {

struct PieceSizes {
  std::size_t piece_bytes;
  std::size_t dictionary_bytes;
  std::size_t batch_pieces;  ///< how many pieces are packed together when there are enough
};

/// Bytes that are packed together, cut into pieces, each of which a thread packs by itself. In front of them is the end
/// of the batch before, as a dictionary.
///
///   dictionary | piece | piece | ... | piece, the last one may be shorter | room
class PieceBatch {
 public:
  explicit PieceBatch(const PieceSizes& sizes) : sizes_(sizes), packed_(1) {}

  /// Empties it, but for the dictionary: the end of `before`, the batch before.
  void begin(const PieceBatch& before);
  bool is_full() const { return bytes().size() == sizes_.batch_pieces * sizes_.piece_bytes; }
  /// Takes bytes from the front of `bytes` until it is full.
  void take(std::span<const std::byte>& bytes);

  std::span<const std::byte> bytes() const { return std::span(bytes_).subspan(known_bytes_); }
  std::size_t pieces() const;
  /// The last one of an empty batch is empty.
  std::span<const std::byte> piece(std::size_t i) const;
  /// What is before a piece, as far as it serves as its dictionary.
  std::span<const std::byte> dictionary(std::size_t i) const;
  /// Where piece `i` is packed to: there is room for each piece, and for one in an empty batch.
  std::vector<std::byte>& packed(std::size_t i) { return packed_[i]; }

 private:
  PieceSizes sizes_;
  RawBytes bytes_;
  std::size_t known_bytes_ = 0;                 // of the dictionary in front
  std::vector<std::vector<std::byte>> packed_;  // keeps the memory of what was packed before
};

/// How the batches of an output are packed. Batches are packed one after the other, each when its bytes are there, by
/// one thread or another: pack() has a state that the next pack() finds. write_begin() may be called meanwhile.
class BatchPacker {
 public:
  virtual ~BatchPacker() = default;

  /// Packs a batch, which may be empty if it is the last. Returns how many of its packed pieces are to be written.
  virtual std::size_t pack(PieceBatch& batch, bool is_last) = 0;
  /// Writes what is in front of the first batch.
  virtual void write_begin(Output&) {}
  /// Writes what is behind the last batch. Called when that has been packed and written.
  virtual void write_end(Output& target) = 0;
};

/// A call that has thrown is the last one.
class BatchOutput final : public PackedOutput {
 public:
  BatchOutput(std::unique_ptr<Output> target, const PieceSizes& sizes, std::unique_ptr<BatchPacker> packer)
      : PackedOutput(std::move(target)), packer_(std::move(packer)), batches_{PieceBatch(sizes), PieceBatch(sizes)} {}

  /// A full batch waits for the next byte: in some formats the last piece ends otherwise than the others.
  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  void pack_filled();
  void hand_over(bool is_last);
  void write_pieces(PieceBatch& batch, std::size_t count);

  std::unique_ptr<BatchPacker> packer_;
  PieceBatch batches_[2];
  PieceBatch* filled_ = &batches_[0];
  PieceBatch* packed_ = &batches_[1];
  std::future<std::size_t> packing_;  // of packed_; none before the second batch
  bool has_begun_ = false;
  TaskThread thread_;  // destroyed first: it uses the others
};

}  // namespace sortie
