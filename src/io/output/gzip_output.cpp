// Packs an output as gzip with all threads.
//
// The bytes are cut into pieces, and each is packed by itself (RFC 1951) with the 32 KiB before it as its dictionary,
// so that nearly nothing is lost by the cuts. Each piece but the last ends at a byte, with an empty stored block. One
// behind the other they are one member (RFC 1952), which every program that reads gzip understands; the checksum of the
// whole is put together from those of the pieces. This is how pigz does it.
#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <zlib.h>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "io/output/batch_output.hpp"

namespace sortie {
namespace {

/// Bytes of a piece, before it is packed, as many as pigz takes. 136 MB of text are 0.04% longer than in one piece.
constexpr std::size_t kPieceBytes = 128 << 10;

/// Pieces of a batch: two for each thread, so that threads of different speed end together, but no more than take 33
/// MiB with all that packing needs.
constexpr std::size_t kPiecesOfThread = 2;
constexpr std::size_t kMostPieces = 32;

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

class GzipPacker final : public BatchPacker {
 public:
  explicit GzipPacker(int level) : level_(level) {}

 private:
  std::size_t pack(PieceBatch& batch, bool is_last) override {
    const std::size_t count = std::max<std::size_t>(1, batch.pieces());  // the end may be an empty one
    std::vector<std::uint32_t> checksums(count);
    parallel_for(0, count, [&](std::size_t i) {
      const int flush = is_last && i + 1 == count ? Z_FINISH : Z_SYNC_FLUSH;
      const std::span<const std::byte> piece = batch.piece(i);
      Deflater(level_).pack(batch.dictionary(i), piece, flush, batch.packed(i));
      checksums[i] = static_cast<std::uint32_t>(::crc32_z(0, as_zlib(piece), piece.size()));
    });
    for (std::size_t i = 0; i < count; ++i) {
      const auto length = static_cast<z_off_t>(batch.piece(i).size());
      checksum_ = static_cast<std::uint32_t>(::crc32_combine(checksum_, checksums[i], length));
    }
    packed_from_bytes_ += batch.bytes().size();
    return count;
  }

  void write_begin(Output& target) override { target.write(kHeader); }

  void write_end(Output& target) override {
    std::byte trailer[8];
    store_as(trailer, checksum_);
    store_as(trailer + 4, static_cast<std::uint32_t>(packed_from_bytes_));
    target.write(trailer);
  }

  int level_;
  std::uint32_t checksum_ = 0;           // CRC-32 of what is packed
  std::uint64_t packed_from_bytes_ = 0;  // how long that was before
};

}  // namespace

std::unique_ptr<Output> make_gzip_output(std::unique_ptr<Output> target, int level) {
  const PieceSizes sizes{kPieceBytes, kDictionaryBytes, std::min(kPiecesOfThread * parallel_threads(), kMostPieces)};
  return std::make_unique<BatchOutput>(std::move(target), sizes, std::make_unique<GzipPacker>(level));
}

}  // namespace sortie
