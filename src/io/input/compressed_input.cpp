#include "io/input/compressed_input.hpp"

#include <cassert>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/input/member_input.hpp"
#include "io/input/zstd_input.hpp"

namespace sortie {

std::unique_ptr<Input> make_compressed_input(ByteSource source, CompressionFormat format, std::uint64_t window_bytes,
                                             const WarningSink& warn) {
  std::unique_ptr<MemberUnpacker> unpacker;
  switch (format) {
    case CompressionFormat::kZstd:
      return std::make_unique<ZstdInput>(std::move(source), window_bytes);
    case CompressionFormat::kGzip:
      unpacker = make_gzip_unpacker(source.path());
      break;
    case CompressionFormat::kBzip2:
      unpacker = make_bzip2_unpacker(source.path());
      break;
    case CompressionFormat::kNone:
      assert(false && "not a compressed format");
  }
  return std::make_unique<MemberInput>(std::move(source), std::move(unpacker), warn);
}

void throw_damaged(const std::string& path) {
  throw Error("cannot unpack " + quote_word(path) + ": the compressed data is damaged or cut short");
}

}  // namespace sortie
