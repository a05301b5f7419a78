#include "io/input.hpp"

#include <utility>

#include "io/byte_source.hpp"
#include "io/compressed_input.hpp"
#include "io/compression_format.hpp"
#include "io/plain_input.hpp"

namespace sortie {
namespace {

std::unique_ptr<Input> make_input(ByteSource source, bool unpack) {
  const CompressionFormat format = unpack ? recognise_magic(source.peek(kMagicBytes)) : CompressionFormat::kNone;
  if (format != CompressionFormat::kNone) return make_compressed_input(std::move(source), format);
  return std::make_unique<StreamInput>(std::move(source));
}

}  // namespace

std::unique_ptr<Input> open_input(FileSystem& files, const std::string& path, bool unpack) {
  std::unique_ptr<File> file = files.open_input(path);
  // Files of size 0 are read as streams: those of /proc have no size but have contents.
  const std::uint64_t bytes = file->seekable() ? file->size() : 0;
  if (bytes == 0) return make_input(ByteSource(std::move(file)), unpack);
  std::byte leading[kMagicBytes];
  const std::size_t found = unpack ? file->read_at(0, leading) : 0;
  if (recognise_magic(std::span(leading).first(found)) != CompressionFormat::kNone) {
    return make_input(ByteSource(std::move(file)), unpack);
  }
  return std::make_unique<PlainInput>(std::move(file), bytes);
}

}  // namespace sortie
