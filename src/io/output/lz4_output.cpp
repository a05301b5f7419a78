#include "io/output/lz4_output.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include <lz4frame.h>
#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "io/files/lz4_result.hpp"

namespace sortie {
namespace {

constexpr std::size_t kLz4BlockBytes = 256 << 10;
constexpr std::size_t kLz4BlocksOfThread = 2;
constexpr std::size_t kMostLz4Blocks = 64;

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

}  // namespace

Lz4Output::Lz4Output(std::unique_ptr<Output> target, int level)
    : PackedOutput(std::move(target)),
      level_(level),
      unpacked_({kLz4BlockBytes, 0, std::min(kLz4BlocksOfThread * parallel_threads(), kMostLz4Blocks)}) {}

void Lz4Output::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    bytes = unpacked_.fill(bytes);
    if (unpacked_.is_full()) pack();
  }
}

void Lz4Output::finish() {
  pack();
  begin();  // if there was nothing to pack
  constexpr std::byte kEndMark[4] = {};
  target().write(kEndMark);
  target().finish();
}

void Lz4Output::begin() {
  if (std::exchange(has_begun_, true)) return;
  const LZ4F_preferences_t wanted = preferences(level_);
  target().write(Lz4Frame(wanted).begin());
}

void Lz4Output::pack() {
  const std::size_t blocks = unpacked_.pieces();
  if (blocks == 0) return;
  begin();
  packed_.resize(std::max(packed_.size(), blocks));
  const LZ4F_preferences_t wanted = preferences(level_);
  parallel_for(0, blocks, [&](std::size_t i) {
    Lz4Frame frame(wanted);
    frame.begin();
    frame.pack(unpacked_.piece(i), packed_[i]);
  });
  for (std::size_t i = 0; i < blocks; ++i) target().write(packed_[i]);
  unpacked_.begin_batch();
}

}  // namespace sortie
