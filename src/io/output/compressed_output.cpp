#include "io/output/compressed_output.hpp"

#include <algorithm>

#include "base/thread_team.hpp"
#include "io/output/packed_output.hpp"

namespace sortie {
namespace {

/// How many threads pack, if each takes `packer_bytes`.
std::size_t packers(std::uint64_t packer_bytes, const Packing& packing) {
  return std::clamp<std::size_t>(packing.memory_bytes / packer_bytes, 1, parallel_threads());
}

/// Whether all threads pack at this level, without the library's search: up to the usual one it takes more time and
/// makes more bytes.
bool packs_as_usual_zstd(int level) { return level <= kUsualZstdLevel; }

}  // namespace

std::unique_ptr<Output> compress_output(std::unique_ptr<Output> target, CompressionFormat format,
                                        const Packing& packing) {
  const int level = settled_level(format, packing.level);
  switch (format) {
    case CompressionFormat::kGzip:
      return make_gzip_output(std::move(target), level);
    case CompressionFormat::kBgzf:
      return make_bgzf_output(std::move(target), level);
    case CompressionFormat::kLz4:
      return make_lz4_output(std::move(target), level);
    case CompressionFormat::kXz:
      return make_xz_output(std::move(target), level, packers(kXzPackerBytes, packing));
    case CompressionFormat::kZstd:
      if (packs_as_usual_zstd(level)) return make_zstd_output(std::move(target), packers(kZstdPackerBytes, packing));
      return make_zstd_stream_output(std::move(target), level, packers(kZstdStreamPackerBytes, packing));
    case CompressionFormat::kBzip2:
      return make_bzip2_output(std::move(target), level, packers(kBzip2PackerBytes, packing));
    case CompressionFormat::kNone:
      break;
  }
  return target;
}

std::uint64_t packing_bytes(CompressionFormat format, int level, unsigned threads) {
  switch (format) {
    case CompressionFormat::kBzip2:
      return threads * kBzip2PackerBytes;
    case CompressionFormat::kXz:
      return threads * kXzPackerBytes;
    case CompressionFormat::kZstd:
      return threads * (packs_as_usual_zstd(level) ? kZstdPackerBytes : kZstdStreamPackerBytes);  // 0: the usual one
    default:
      return 0;  // no more than any sort may take
  }
}

}  // namespace sortie
