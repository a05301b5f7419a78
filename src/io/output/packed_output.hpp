// Outputs that pack their bytes on the way to another output. Each kind is made by its function below; called by
// compress_output() only, which knows what a format's name and level stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/output/passing_output.hpp"

namespace sortie {

/// Has an end of its own, and no known length.
class PackedOutput : public PassingOutput {
 public:
  /// Nobody knows how long it will be when it is packed.
  void expect(std::uint64_t) override {}
  void finish() override = 0;

 protected:
  using PassingOutput::PassingOutput;
};

struct PieceSizes {
  std::size_t piece_bytes;
  std::size_t dictionary_bytes;
  std::size_t batch_pieces;  ///< how many pieces are packed together when there are enough
};

/// Holds bytes back until there is work for all threads: a batch of pieces, each of which a thread packs by itself, and
/// in front of it the end of the batch before, as a dictionary.
///
///   dictionary | piece | piece | ... | piece, the last one may be shorter | room
class BatchOutput : public PackedOutput {
 public:
  /// A full batch waits for the next byte: in some formats the last piece ends otherwise than the others.
  void write(std::span<const std::byte> bytes) final;
  void finish() final;

 protected:
  BatchOutput(std::unique_ptr<Output> target, const PieceSizes& sizes)
      : PackedOutput(std::move(target)), sizes_(sizes) {}

  std::span<const std::byte> batch() const { return std::span(bytes_).subspan(known_bytes_); }
  std::size_t pieces() const;
  /// The last one of an empty batch is empty.
  std::span<const std::byte> piece(std::size_t i) const;
  /// What is before a piece, as far as it serves as its dictionary.
  std::span<const std::byte> dictionary(std::size_t i) const;
  /// Where piece `i` of the batch is packed to: write_packed() writes the first `count`.
  std::vector<std::byte>& packed(std::size_t i) { return packed_[i]; }
  void write_packed(std::size_t count);

 private:
  /// Packs and writes the batch, which may be empty at the end.
  virtual void pack(bool is_last) = 0;
  /// Writes what is behind the last batch.
  virtual void write_end() = 0;
  void pack_batch(bool is_last);

  PieceSizes sizes_;
  std::vector<std::byte> bytes_;
  std::size_t known_bytes_ = 0;                 // of the dictionary in front
  std::vector<std::vector<std::byte>> packed_;  // pieces of one batch
};

/// The levels are those of deflate.
std::unique_ptr<Output> make_gzip_output(std::unique_ptr<Output> target, int level);
std::unique_ptr<Output> make_bgzf_output(std::unique_ptr<Output> target, int level);

/// `level`: as the program lz4 takes it; from 3 on it packs harder and takes longer.
std::unique_ptr<Output> make_lz4_output(std::unique_ptr<Output> target, int level);

/// At its usual level.
std::unique_ptr<Output> make_zstd_output(std::unique_ptr<Output> target);
inline constexpr int kUsualZstdLevel = 3;

/// The same at any level, by the library's encoder and its threads, which takes more time at the usual one. `packers`,
/// here and below: threads that pack, at least one. The bytes are the same for any number of them.
std::unique_ptr<Output> make_zstd_stream_output(std::unique_ptr<Output> target, int level, std::size_t packers);

std::unique_ptr<Output> make_xz_output(std::unique_ptr<Output> target, int level, std::size_t packers);

/// `level`: of bzip2, the size of its blocks.
std::unique_ptr<Output> make_bzip2_output(std::unique_ptr<Output> target, int level, std::size_t packers);

/// Memory that each thread that packs takes, with its bytes, at most.
inline constexpr std::uint64_t kZstdStreamPackerBytes = 12 << 20;
inline constexpr std::uint64_t kXzPackerBytes = 16 << 20;
inline constexpr std::uint64_t kBzip2PackerBytes = 12 << 20;

}  // namespace sortie
