// Packs an output as bzip2 with all threads.
//
// The bytes are cut into pieces, and each is packed by itself as a stream of one block, or of two if its runs do not
// let it fit one. The blocks, which begin and end at any bit, are put one behind the other as one stream, which every
// program that reads bzip2 understands: some readers stop at the end of the first.
//
//   BZh, size of blocks | blocks of the pieces | magic of the end, checksum of the block checksums | bits up to a byte
#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <bzlib.h>
#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "io/output/batch_output.hpp"
#include "io/output/bit_string.hpp"

namespace sortie {
namespace {

/// Pieces of a batch for each thread that packs, so that threads of different speed end together.
constexpr std::size_t kBzip2PiecesOfThread = 2;

/// What a block holds when runs of equal bytes are shortened: libbz2 keeps the last bytes of 100,000 a level free.
constexpr std::size_t block_bytes(int level) { return 100'000 * static_cast<std::size_t>(level) - 19; }

constexpr std::size_t kHeaderBytes = 4;
constexpr std::byte kEndMagic[] = {std::byte{0x17}, std::byte{0x72}, std::byte{0x45},
                                   std::byte{0x38}, std::byte{0x50}, std::byte{0x90}};
/// The magic, then a checksum of four bytes. So begin blocks and the end.
constexpr std::size_t kMagicAndChecksumBytes = sizeof kEndMagic + 4;

/// The length of `bytes` in a block: of a run of 4 to 255 equal bytes the first four are kept, and a count.
std::size_t shortened_bytes(std::span<const std::byte> bytes) {
  constexpr std::size_t kLeastRun = 4;
  constexpr std::size_t kMostRun = 255;
  std::size_t total = 0;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t begin = i;
    const std::size_t most = std::min(bytes.size(), begin + kMostRun);
    while (i < most && bytes[i] == bytes[begin]) ++i;
    total += i - begin < kLeastRun ? i - begin : kLeastRun + 1;
  }
  return total;
}

std::uint32_t load_checksum(const std::byte* bytes) {
  return static_cast<std::uint32_t>(load_big_padded(bytes, 4) >> 32);
}

/// A block as it is in a stream of its own: `bits` of `stream` behind the header.
struct Bzip2Block {
  std::vector<std::byte> stream;
  std::size_t bits = 0;
  std::uint32_t checksum = 0;

  /// Precondition: the block holds `bytes` when runs are shortened.
  Bzip2Block(std::span<const std::byte> bytes, int level)
      : stream(bytes.size() + bytes.size() / 100 + kMostOverheadBytes) {
    auto made = static_cast<unsigned>(stream.size());
    auto* const from = reinterpret_cast<char*>(const_cast<std::byte*>(bytes.data()));  // libbz2 does not write there
    const int result = ::BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(stream.data()), &made, from,
                                                  static_cast<unsigned>(bytes.size()), level, 0, 0);
    if (result == BZ_MEM_ERROR) throw std::bad_alloc();
    stream.resize(made);
    checksum = load_checksum(stream.data() + kHeaderBytes + sizeof kEndMagic);
    bits = result == BZ_OK ? find_end() : 0;
    if (bits == 0) throw Error("cannot compress the output: libbz2 does not make what it should");
  }

 private:
  static constexpr std::size_t kMostOverheadBytes = 600;

  /// The end is the same bytes for any block with this checksum, and up to seven bits behind it. Returns 0 if it is not
  /// there, as behind several blocks.
  std::size_t find_end() const {
    for (unsigned behind = 0; behind < 8; ++behind) {
      std::byte end[kMagicAndChecksumBytes];
      const std::byte* const before = stream.data() + stream.size() - sizeof end - 1;
      for (std::size_t i = 0; i < sizeof end; ++i) end[i] = before[i + 1] >> behind | before[i] << (8 - behind);
      if (std::equal(std::begin(kEndMagic), std::end(kEndMagic), end) &&
          load_checksum(end + sizeof kEndMagic) == checksum) {
        return 8 * (stream.size() - kHeaderBytes - sizeof end) - behind;
      }
    }
    return 0;
  }
};

class Bzip2Packer final : public BatchPacker {
 public:
  Bzip2Packer(int level, std::size_t packers) : level_(level), packers_(packers) {
    const std::byte header[kHeaderBytes] = {std::byte{'B'}, std::byte{'Z'}, std::byte{'h'}, std::byte('0' + level)};
    stream_.append(header, 8 * sizeof header);
  }

 private:
  // A block begins within a byte: all of them are one packed piece.
  std::size_t pack(PieceBatch& batch, bool) override {
    std::vector<std::vector<Bzip2Block>> blocks(batch.pieces());
    std::atomic<std::size_t> next = 0;
    parallel_for(0, std::min(packers_, blocks.size()), [&](std::size_t) {
      for (std::size_t i = next++; i < blocks.size(); i = next++) {
        throw_if_stopped();
        const std::span<const std::byte> piece = batch.piece(i);
        // At worst, five bytes of a block are made of four.
        const bool fits = shortened_bytes(piece) <= block_bytes(level_);
        const std::size_t half = fits ? piece.size() : piece.size() / 2;
        blocks[i].emplace_back(piece.first(half), level_);
        if (!fits) blocks[i].emplace_back(piece.subspan(half), level_);
      }
    });
    if (blocks.empty()) return 0;
    for (std::vector<Bzip2Block>& of_piece : blocks) {
      for (const Bzip2Block& block : of_piece) append(block);
      of_piece = {};  // its memory may be as much as the piece
    }
    batch.packed(0) = stream_.take_whole_bytes();
    return 1;
  }

  void write_end(Output& target) override {
    std::byte checksum[4];
    store_as(checksum, static_cast<std::uint32_t>(byte_swap(checksum_) >> 32));
    stream_.append(kEndMagic, 8 * sizeof kEndMagic);
    stream_.append(checksum, 8 * sizeof checksum);
    stream_.end_byte();
    target.write(stream_.take_whole_bytes());
  }

  void append(const Bzip2Block& block) {
    stream_.append(std::span(block.stream).subspan(kHeaderBytes), block.bits);
    checksum_ = std::rotl(checksum_, 1) ^ block.checksum;
  }

  int level_;
  std::size_t packers_;
  BitString stream_;
  std::uint32_t checksum_ = 0;  // of the checksums of all blocks so far
};

}  // namespace

std::unique_ptr<Output> make_bzip2_output(std::unique_ptr<Output> target, int level, std::size_t packers) {
  const PieceSizes sizes{block_bytes(level), 0, kBzip2PiecesOfThread * packers};
  return std::make_unique<BatchOutput>(std::move(target), sizes, std::make_unique<Bzip2Packer>(level, packers));
}

}  // namespace sortie
