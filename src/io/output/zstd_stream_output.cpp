#include "io/output/zstd_stream_output.hpp"

#include <algorithm>
#include <utility>

#include "base/thread_team.hpp"

namespace sortie {
namespace {

/// What keeps a thread within kPackerBytes. Words of 68 MB are 2% longer at level 19 than with the library's window and
/// tables, 1% at level 15, and no longer at the levels from 1 to 9.
constexpr unsigned kMostWindowBits = 21;
constexpr unsigned kMostTableBits = 20;
/// Bytes that a thread packs at a time.
constexpr int kJobBytes = 2 << 20;

}  // namespace

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

}  // namespace sortie
