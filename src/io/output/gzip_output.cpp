#include "io/output/gzip_output.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <zlib.h>

#include "base/bytes.hpp"
#include "base/parallel.hpp"

namespace sortie {
namespace {

/// Bytes of a piece, before it is packed, as many as pigz takes. 136 MB of text are 0.04% longer than in one piece.
constexpr std::size_t kPieceBytes = 128 << 10;

/// Pieces of a batch: two for each thread, so that threads of different speed end together, but no more than take 33
/// MiB with all that packing needs.
constexpr std::size_t kPiecesOfThread = 2;
constexpr std::size_t kMostPieces = 64;

/// How far back deflate looks.
constexpr std::size_t kDictionaryBytes = 32 << 10;

/// Added when deflateBound() was too little.
constexpr std::size_t kFlushBytes = 64;

/// RFC 1952: deflate, no flags, no time, made on Unix.
constexpr std::byte kHeader[] = {std::byte{0x1f}, std::byte{0x8b}, std::byte{8}, {}, {}, {}, {}, {}, {}, std::byte{3}};

const Bytef* as_zlib(std::span<const std::byte> bytes) { return reinterpret_cast<const Bytef*>(bytes.data()); }

class Deflater {
 public:
  explicit Deflater(int level) {
    constexpr int kRawWindowBits = -15;  // without the header of zlib
    constexpr int kUsualMemory = 8;
    if (::deflateInit2(&stream_, level, Z_DEFLATED, kRawWindowBits, kUsualMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Deflater() { ::deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// Packs all of `piece`. `flush`: Z_SYNC_FLUSH or Z_FINISH.
  void pack(std::span<const std::byte> dictionary, std::span<const std::byte> piece, int flush,
            std::vector<std::byte>& packed) {
    if (!dictionary.empty()) {
      ::deflateSetDictionary(&stream_, as_zlib(dictionary), static_cast<uInt>(dictionary.size()));
    }
    stream_.next_in = const_cast<Bytef*>(as_zlib(piece));  // zlib does not write there
    stream_.avail_in = static_cast<uInt>(piece.size());
    packed.resize(::deflateBound(&stream_, piece.size()));
    std::size_t made = 0;
    // What the flush adds may need more than the bound: all is written when there is room left.
    do {
      if (made == packed.size()) packed.resize(made + kFlushBytes);
      stream_.next_out = reinterpret_cast<Bytef*>(packed.data() + made);
      stream_.avail_out = static_cast<uInt>(packed.size() - made);
      ::deflate(&stream_, flush);
      made = packed.size() - stream_.avail_out;
    } while (stream_.avail_out == 0);
    packed.resize(made);
  }

 private:
  z_stream stream_{};
};

}  // namespace

GzipOutput::GzipOutput(std::unique_ptr<Output> target, int level)
    : PackedOutput(std::move(target)),
      level_(level),
      unpacked_({kPieceBytes, kDictionaryBytes, std::min(kPiecesOfThread * parallel_threads(), kMostPieces)}) {}

void GzipOutput::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    // A full batch waits for the next byte: the last piece ends otherwise than the others.
    if (unpacked_.is_full()) pack(Position::kInside);
    bytes = unpacked_.fill(bytes);
  }
}

void GzipOutput::finish() {
  pack(Position::kAtEnd);
  std::byte trailer[8];
  store_as(trailer, checksum_);
  store_as(trailer + 4, static_cast<std::uint32_t>(packed_from_bytes_));
  target().write(trailer);
  target().finish();
}

void GzipOutput::pack(Position position) {
  const std::size_t pieces = std::max<std::size_t>(1, unpacked_.pieces());  // the end may be an empty one
  packed_.resize(std::max(packed_.size(), pieces));
  std::vector<std::uint32_t> checksums(pieces);
  parallel_for(0, pieces, [&](std::size_t i) {
    const std::span<const std::byte> piece = unpacked_.piece(i);
    const bool is_last = position == Position::kAtEnd && i + 1 == pieces;
    Deflater(level_).pack(unpacked_.dictionary(i), piece, is_last ? Z_FINISH : Z_SYNC_FLUSH, packed_[i]);
    checksums[i] = static_cast<std::uint32_t>(::crc32_z(0, as_zlib(piece), piece.size()));
  });
  if (packed_from_bytes_ == 0) target().write(kHeader);
  for (std::size_t i = 0; i < pieces; ++i) {
    target().write(packed_[i]);
    const auto length = static_cast<z_off_t>(unpacked_.piece(i).size());
    checksum_ = static_cast<std::uint32_t>(::crc32_combine(checksum_, checksums[i], length));
  }
  packed_from_bytes_ += unpacked_.batch().size();
  unpacked_.begin_batch();
}

}  // namespace sortie
