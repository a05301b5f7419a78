#include "io/output/compressed_output.hpp"

#include <algorithm>

#include "base/thread_team.hpp"
#include "io/output/bgzf_output.hpp"
#include "io/output/bzip2_output.hpp"
#include "io/output/gzip_output.hpp"
#include "io/output/lz4_output.hpp"
#include "io/output/xz_output.hpp"
#include "io/output/zstd_output.hpp"
#include "io/output/zstd_stream_output.hpp"

namespace sortie {
namespace {

/// How many threads pack, if each takes `packer_bytes`.
std::size_t packers(std::uint64_t packer_bytes, const Packing& packing) {
  return std::clamp<std::size_t>(packing.memory_bytes / packer_bytes, 1, parallel_threads());
}

}  // namespace

std::unique_ptr<Output> compress_output(std::unique_ptr<Output> target, CompressionFormat format,
                                        const Packing& packing) {
  const int level = packing.level == 0 ? output_levels(format).usual : packing.level;
  switch (format) {
    case CompressionFormat::kGzip:
      return std::make_unique<GzipOutput>(std::move(target), level);
    case CompressionFormat::kBgzf:
      return std::make_unique<BgzfOutput>(std::move(target), level);
    case CompressionFormat::kLz4:
      return std::make_unique<Lz4Output>(std::move(target), level);
    case CompressionFormat::kXz:
      return std::make_unique<XzOutput>(std::move(target), level, packers(XzOutput::kPackerBytes, packing));
    case CompressionFormat::kZstd:
      if (level == ZstdOutput::kLevel) return std::make_unique<ZstdOutput>(std::move(target));
      return std::make_unique<ZstdStreamOutput>(std::move(target), level,
                                                packers(ZstdStreamOutput::kPackerBytes, packing));
    case CompressionFormat::kBzip2:
      return std::make_unique<Bzip2Output>(std::move(target), level, packers(Bzip2Output::kPackerBytes, packing));
    case CompressionFormat::kNone:
      break;
  }
  return target;
}

std::uint64_t packing_bytes(CompressionFormat format, int level, unsigned threads) {
  if (format == CompressionFormat::kBzip2) return threads * Bzip2Output::kPackerBytes;
  if (format == CompressionFormat::kXz) return threads * XzOutput::kPackerBytes;
  const bool is_stream = format == CompressionFormat::kZstd && level != 0 && level != ZstdOutput::kLevel;
  return is_stream ? threads * ZstdStreamOutput::kPackerBytes : 0;
}

}  // namespace sortie
