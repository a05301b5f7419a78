// Packs an output as zstd: up to its usual level with all threads, at others by the library's encoder and its threads.
//
// The bytes are cut into pieces, and each is packed by itself (RFC 8878), with what ZstdMatcher finds in it and before
// it. All are one frame, which every program that reads zstd understands: some readers stop at the end of the first.
//
//   frame header | blocks of the pieces | an empty block, the last one | checksum
#include <algorithm>
#include <atomic>
#include <cassert>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>
#define ZSTD_STATIC_LINKING_ONLY  // for sequences, and what a level stands for
#include <zstd.h>
#include <zstd_errors.h>
#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "io/output/batch_output.hpp"
#include "io/output/packed_output.hpp"
#include "io/output/zstd_matcher.hpp"

namespace sortie {
namespace {

/// Bytes of a piece: two blocks. Sorted text of 114 MB is 1.3% shorter than zstd makes it at the same level, in one
/// piece; a log of 103 MB is 2% longer.
constexpr std::size_t kZstdPieceBytes = 2 * ZstdMatcher::kMostBlockBytes;

/// How far back before a piece its matches reach.
constexpr std::size_t kZstdDictionaryBytes = 128 << 10;

/// Pieces of a batch for each thread that packs, so that threads of different speed end together.
constexpr std::size_t kZstdPiecesOfThread = 2;

/// RFC 8878, 3.1.1.1: the magic number, a checksum but no size, and the usual window of the level, 2 MiB.
constexpr unsigned kWindowBits = 21;
constexpr std::byte kFrameHeader[] = {std::byte{0x28}, std::byte{0xb5}, std::byte{0x2f},
                                      std::byte{0xfd}, std::byte{0x04}, std::byte{(kWindowBits - 10) << 3}};
static_assert(kZstdPieceBytes + kZstdDictionaryBytes <= std::size_t{1} << kWindowBits);

/// In the first byte of a block's header.
constexpr std::byte kIsLastBlock{1};

/// `result` of a function of zstd. Throws std::bad_alloc or Error if it is an error.
std::size_t checked_zstd(std::size_t result) {
  if (::ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (::ZSTD_isError(result) != 0) {
    throw Error(std::string("cannot compress the output: ") + ::ZSTD_getErrorName(result));
  }
  return result;
}

class ZstdContext {
 public:
  ZstdContext() : context_(::ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }

  void set(ZSTD_cParameter parameter, int value) {
    checked_zstd(::ZSTD_CCtx_setParameter(context_.get(), parameter, value));
  }
  ZSTD_CCtx* get() const { return context_.get(); }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ::ZSTD_freeCCtx(context); }
  };

  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

/// What a thread needs for packing.
class ZstdPacker {
 public:
  ZstdPacker() : frame_(::ZSTD_compressBound(ZstdMatcher::kMostBlockBytes)) {
    context_.set(ZSTD_c_compressionLevel, kUsualZstdLevel);
    context_.set(ZSTD_c_contentSizeFlag, 0);
    context_.set(ZSTD_c_minMatch, ZstdMatcher::kLeastMatchBytes);
    // It does not look for matches itself.
    context_.set(ZSTD_c_hashLog, ZSTD_HASHLOG_MIN);
    context_.set(ZSTD_c_chainLog, ZSTD_CHAINLOG_MIN);
  }

  void pack(std::span<const std::byte> dictionary, std::span<const std::byte> piece, std::vector<std::byte>& packed) {
    packed.clear();
    matcher_.begin(dictionary);
    while (!piece.empty()) {
      const std::span<const std::byte> block = piece.first(std::min(piece.size(), ZstdMatcher::kMostBlockBytes));
      append(block, packed);
      piece = piece.subspan(block.size());
    }
  }

 private:
  /// Makes a frame of one block, of which only the block is of use.
  void append(std::span<const std::byte> block, std::vector<std::byte>& packed) {
    const std::span<const ZSTD_Sequence> sequences = matcher_.find(block);
    const std::size_t bytes = checked_zstd(::ZSTD_compressSequences(
        context_.get(), frame_.data(), frame_.size(), sequences.data(), sequences.size(), block.data(), block.size()));
    std::byte* const header = frame_.data() + sizeof kFrameHeader;
    assert((*header & kIsLastBlock) == kIsLastBlock);
    *header &= ~kIsLastBlock;
    packed.insert(packed.end(), header, frame_.data() + bytes);
  }

  ZstdContext context_;
  ZstdMatcher matcher_;
  std::vector<std::byte> frame_;
};

class ZstdBatchPacker final : public BatchPacker {
 public:
  explicit ZstdBatchPacker(std::size_t packers) : packers_(packers) { ::XXH64_reset(&checksum_, 0); }

 private:
  // One turn is the checksum's.
  std::size_t pack(PieceBatch& batch, bool) override {
    const std::size_t pieces = batch.pieces();
    std::atomic<std::size_t> next = 0;
    parallel_for(0, std::min(packers_.size(), pieces) + 1, [&](std::size_t turn) {
      if (turn == 0) {
        ::XXH64_update(&checksum_, batch.bytes().data(), batch.bytes().size());
        return;
      }
      std::unique_ptr<ZstdPacker>& packer = packers_[turn - 1];
      if (packer == nullptr) packer = std::make_unique<ZstdPacker>();
      for (std::size_t i = next++; i < pieces; i = next++) {
        throw_if_stopped();
        packer->pack(batch.dictionary(i), batch.piece(i), batch.packed(i));
      }
    });
    return pieces;
  }

  void write_begin(Output& target) override { target.write(kFrameHeader); }

  void write_end(Output& target) override {
    std::byte trailer[7] = {kIsLastBlock};
    store_as(trailer + 3, static_cast<std::uint32_t>(::XXH64_digest(&checksum_)));
    target.write(trailer);
  }

  std::vector<std::unique_ptr<ZstdPacker>> packers_;  // made when they are needed
  XXH64_state_t checksum_;
};

/// What keeps a thread within kZstdStreamPackerBytes. Words of 68 MB are 2% longer at level 19 than with the library's
/// window and tables, 1% at level 15, and no longer at the levels from 1 to 9.
constexpr unsigned kMostWindowBits = 21;
constexpr unsigned kMostTableBits = 20;
/// Bytes that a thread packs at a time.
constexpr int kJobBytes = 2 << 20;

class ZstdStreamOutput final : public PackedOutput {
 public:
  ZstdStreamOutput(std::unique_ptr<Output> target, int level, std::size_t packers);

  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  /// Returns how much is left to be done.
  std::size_t pack(ZSTD_inBuffer& bytes, ZSTD_EndDirective directive);

  ZstdContext context_;
  std::vector<std::byte> packed_;
};

ZstdStreamOutput::ZstdStreamOutput(std::unique_ptr<Output> target, int level, std::size_t packers)
    : PackedOutput(std::move(target)), packed_(::ZSTD_CStreamOutSize()) {
  const ZSTD_compressionParameters usual = ::ZSTD_getCParams(level, 0, 0);
  context_.set(ZSTD_c_compressionLevel, level);
  context_.set(ZSTD_c_windowLog, static_cast<int>(std::min(usual.windowLog, kMostWindowBits)));
  context_.set(ZSTD_c_hashLog, static_cast<int>(std::min(usual.hashLog, kMostTableBits)));
  context_.set(ZSTD_c_chainLog, static_cast<int>(std::min(usual.chainLog, kMostTableBits)));
  context_.set(ZSTD_c_checksumFlag, 1);
  // Where the library was built without threads, it has none.
  const int most_workers = ::ZSTD_cParam_getBounds(ZSTD_c_nbWorkers).upperBound;
  if (most_workers == 0) return;
  context_.set(ZSTD_c_nbWorkers, static_cast<int>(std::min<std::size_t>(packers, most_workers)));
  context_.set(ZSTD_c_jobSize, kJobBytes);
}

void ZstdStreamOutput::write(std::span<const std::byte> bytes) {
  ZSTD_inBuffer left{bytes.data(), bytes.size(), 0};
  while (left.pos < left.size) {
    throw_if_stopped();
    pack(left, ZSTD_e_continue);
  }
}

void ZstdStreamOutput::finish() {
  ZSTD_inBuffer nothing{};
  while (pack(nothing, ZSTD_e_end) != 0) throw_if_stopped();
  target().finish();
}

std::size_t ZstdStreamOutput::pack(ZSTD_inBuffer& bytes, ZSTD_EndDirective directive) {
  ZSTD_outBuffer packed{packed_.data(), packed_.size(), 0};
  const std::size_t left = checked_zstd(::ZSTD_compressStream2(context_.get(), &packed, &bytes, directive));
  if (packed.pos > 0) target().write(std::span(packed_).first(packed.pos));
  return left;
}

}  // namespace

std::unique_ptr<Output> make_zstd_output(std::unique_ptr<Output> target, std::size_t packers) {
  const PieceSizes sizes{kZstdPieceBytes, kZstdDictionaryBytes, kZstdPiecesOfThread * packers};
  return std::make_unique<BatchOutput>(std::move(target), sizes, std::make_unique<ZstdBatchPacker>(packers));
}

std::unique_ptr<Output> make_zstd_stream_output(std::unique_ptr<Output> target, int level, std::size_t packers) {
  return std::make_unique<ZstdStreamOutput>(std::move(target), level, packers);
}

}  // namespace sortie
