#include "io/input/input.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "io/input/byte_source.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/plain_input.hpp"
#include "io/input/unpacked_input.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kSkippedAtOnceBytes = 1 << 20;

/// Files of /sys claim to hold a page, whatever they hold.
bool claims_too_much(File& file) {
  std::byte last{};
  return file.read_at(kPageBytes - 1, {&last, 1}) == 0;
}

/// To sort the bytes of an archive or a table as lines is never what was meant.
void refuse_foreign_format(std::span<const std::byte> leading, const std::string& path) {
  const std::optional<ForeignFormat> format = recognise_foreign(leading);
  if (!format) return;
  throw Error("cannot unpack " + quote_word(path) + ": it is " + std::string(format->name) + "; " +
              std::string(format->remedy));
}

// Waits for a pipe only as long as the bytes that have come may be compressed.
CompressionFormat format_of(ByteSource& source) {
  for (const std::size_t bytes : {1, 2}) {
    if (!may_have_magic(source.peek(bytes))) return CompressionFormat::kNone;
  }
  const std::span<const std::byte> leading = source.peek(kMagicBytes);
  refuse_foreign_format(leading, source.path());
  return recognise_magic(leading);
}

std::unique_ptr<Input> make_input(ByteSource source, bool unpack, std::uint64_t window_bytes, const WarningSink& warn) {
  const CompressionFormat format = unpack ? format_of(source) : CompressionFormat::kNone;
  if (format != CompressionFormat::kNone) {
    return std::make_unique<UnpackedInput>(make_compressed_input(std::move(source), format, window_bytes, warn));
  }
  return std::make_unique<StreamInput>(std::move(source));
}

}  // namespace

void Input::skip(std::uint64_t bytes) {
  std::vector<std::byte> passed(static_cast<std::size_t>(std::min(bytes, kSkippedAtOnceBytes)));
  while (bytes > 0) {
    const std::size_t got =
        read(std::span(passed).first(static_cast<std::size_t>(std::min(bytes, kSkippedAtOnceBytes))));
    if (got == 0) throw Error("input " + quote_path(path()) + " ends before the place where the sort is to continue");
    bytes -= got;
  }
}

std::unique_ptr<Input> open_input(FileSystem& files, const std::string& path, bool unpack, std::uint64_t window_bytes,
                                  const WarningSink& warn) {
  return open_input(files.open_input(path), unpack, window_bytes, std::nullopt, warn);
}

std::unique_ptr<Input> open_input(std::unique_ptr<File> file, bool unpack, std::uint64_t window_bytes,
                                  std::optional<std::uint64_t> known_bytes, const WarningSink& warn) {
  // Files of size 0 are read as streams: those of /proc have no size but have contents.
  const std::uint64_t bytes = file->seekable() ? known_bytes.value_or(file->size()) : 0;
  if (bytes == 0) return make_input(ByteSource(std::move(file)), unpack, window_bytes, warn);
  std::byte begin[kArchiveMagicBytes];
  const auto leading = std::span<const std::byte>(begin).first(unpack ? file->read_at(0, begin) : 0);
  refuse_foreign_format(leading, file->path());
  if (recognise_magic(leading) != CompressionFormat::kNone) {
    return make_input(ByteSource(std::move(file)), unpack, window_bytes, warn);
  }
  if (bytes == kPageBytes && claims_too_much(*file)) {
    return make_input(ByteSource(std::move(file)), unpack, window_bytes, warn);
  }
  return std::make_unique<PlainInput>(std::move(file), bytes);
}

}  // namespace sortie
