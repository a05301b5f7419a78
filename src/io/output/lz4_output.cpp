// Packs an output as one frame of lz4 with all threads.
//
// Blocks are independent of one another, so that each thread packs some, with a checksum for each. The blocks that
// liblz4 makes behind the headers of frames of their own are put one behind the other.
#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <lz4frame.h>
#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "io/files/lz4_result.hpp"
#include "io/output/batch_output.hpp"

namespace sortie {
namespace {

constexpr std::size_t kLz4BlockBytes = 256 << 10;
/// Blocks of a batch: no more than take 32 MiB before and after they are packed, in two batches.
constexpr std::size_t kLz4BlocksOfThread = 2;
constexpr std::size_t kMostLz4Blocks = 32;

LZ4F_preferences_t preferences(int level) {
  LZ4F_preferences_t wanted = LZ4F_INIT_PREFERENCES;
  wanted.frameInfo.blockSizeID = LZ4F_max256KB;
  wanted.frameInfo.blockMode = LZ4F_blockIndependent;
  wanted.frameInfo.blockChecksumFlag = LZ4F_blockChecksumEnabled;
  wanted.compressionLevel = level;
  wanted.autoFlush = 1;
  return wanted;
}

std::size_t checked(std::size_t result) {
  if (!is_lz4_error(result)) return result;
  throw Error(std::string("cannot compress the output: lz4 says ") + LZ4F_getErrorName(result));
}

/// A frame that is begun.
class Lz4Frame {
 public:
  explicit Lz4Frame(const LZ4F_preferences_t& wanted) : wanted_(wanted) {
    if (LZ4F_isError(LZ4F_createCompressionContext(&context_, LZ4F_VERSION))) throw std::bad_alloc();
  }
  ~Lz4Frame() { LZ4F_freeCompressionContext(context_); }
  Lz4Frame(const Lz4Frame&) = delete;
  Lz4Frame& operator=(const Lz4Frame&) = delete;

  std::span<const std::byte> begin() {
    return std::span(header_).first(checked(LZ4F_compressBegin(context_, header_, sizeof header_, &wanted_)));
  }

  /// Makes `block` of `contents`, at most kLz4BlockBytes.
  void pack(std::span<const std::byte> contents, std::vector<std::byte>& block) {
    block.resize(LZ4F_compressBound(contents.size(), &wanted_));
    block.resize(
        checked(LZ4F_compressUpdate(context_, block.data(), block.size(), contents.data(), contents.size(), nullptr)));
  }

 private:
  const LZ4F_preferences_t& wanted_;
  LZ4F_cctx* context_ = nullptr;
  std::byte header_[LZ4F_HEADER_SIZE_MAX];
};

class Lz4Packer final : public BatchPacker {
 public:
  explicit Lz4Packer(int level) : wanted_(preferences(level)) {}

 private:
  std::size_t pack(PieceBatch& batch, bool) override {
    parallel_for(0, batch.pieces(), [&](std::size_t i) {
      Lz4Frame frame(wanted_);
      frame.begin();
      frame.pack(batch.piece(i), batch.packed(i));
    });
    return batch.pieces();
  }

  void write_begin(Output& target) override { target.write(Lz4Frame(wanted_).begin()); }

  void write_end(Output& target) override {
    constexpr std::byte kEndMark[4] = {};
    target.write(kEndMark);
  }

  LZ4F_preferences_t wanted_;
};

}  // namespace

std::unique_ptr<Output> make_lz4_output(std::unique_ptr<Output> target, int level) {
  const PieceSizes sizes{kLz4BlockBytes, 0, std::min(kLz4BlocksOfThread * parallel_threads(), kMostLz4Blocks)};
  return std::make_unique<BatchOutput>(std::move(target), sizes, std::make_unique<Lz4Packer>(level));
}

}  // namespace sortie
