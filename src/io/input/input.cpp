#include "io/input/input.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "io/input/byte_source.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/packed_begin.hpp"
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

[[noreturn]] void refuse_foreign(const ForeignFormat& format, const std::string& path) {
  throw Error("cannot unpack " + quote_word(path) + ": it is " + std::string(format.name) + "; " +
              std::string(format.remedy));
}

/// To sort the bytes of an archive or a table as lines is never what was meant.
void refuse_foreign_format(std::span<const std::byte> leading, const std::string& path, Unpacking unpacking) {
  const std::optional<ForeignFormat> format = recognise_foreign(leading);
  if (format && (unpacking == Unpacking::kByMagic || is_named_as_packed(path))) refuse_foreign(*format, path);
}

void refuse_encrypted_table(File& file, std::span<const std::byte> leading, std::uint64_t bytes) {
  if (!may_be_encrypted_table(leading) || bytes < kTableEndBytes) return;
  std::byte end[kTableEndBytes];
  const auto ending = std::span<const std::byte>(end).first(file.read_at(bytes - kTableEndBytes, end));
  if (const auto format = recognise_encrypted_table(leading, ending, bytes)) refuse_foreign(*format, file.path());
}

/// The format that the magic in `leading` belongs to, or none if it is not sure. `peek` gives so many bytes at the
/// begin of the input, or all that there are.
template <class Peek>
CompressionFormat sure_format(const std::string& path, Unpacking unpacking, std::span<const std::byte> leading,
                              const Peek& peek) {
  const CompressionFormat format = recognise_magic(leading);
  if (format == CompressionFormat::kNone || is_named_as_packed(path)) return format;
  if (unpacking == Unpacking::kByMagic) {
    const bool is_text = format == CompressionFormat::kBzip2 && is_ascii_text(peek(kArchiveMagicBytes));
    return is_text ? CompressionFormat::kNone : format;
  }
  const std::span<const std::byte> begin = peek(kTrialBytes);
  return can_be_unpacked(format, begin, begin.size() < kTrialBytes) ? format : CompressionFormat::kNone;
}

// Waits for a pipe only as long as the bytes that have come may be compressed.
CompressionFormat format_of(ByteSource& source, Unpacking unpacking) {
  for (const std::size_t bytes : {1, 2}) {
    if (!may_have_magic(source.peek(bytes))) return CompressionFormat::kNone;
  }
  const std::span<const std::byte> leading = source.peek(kMagicBytes);
  refuse_foreign_format(leading, source.path(), unpacking);
  return sure_format(source.path(), unpacking, leading, [&](std::size_t bytes) { return source.peek(bytes); });
}

std::unique_ptr<Input> make_unpacked(ByteSource source, CompressionFormat format, Unpacking unpacking,
                                     std::uint64_t window_bytes, const WarningSink& warn) {
  return std::make_unique<UnpackedInput>(make_compressed_input(std::move(source), format, window_bytes, warn),
                                         unpacking);
}

std::unique_ptr<Input> make_input(ByteSource source, Unpacking unpacking, std::uint64_t window_bytes,
                                  const WarningSink& warn) {
  const bool may_be_packed = unpacking != Unpacking::kNever;
  const CompressionFormat format = may_be_packed ? format_of(source, unpacking) : CompressionFormat::kNone;
  if (format != CompressionFormat::kNone) {
    return make_unpacked(std::move(source), format, unpacking, window_bytes, warn);
  }
  return std::make_unique<StreamInput>(std::move(source));
}

/// The same for a file of `bytes`, which is not read from its begin until its format is known.
CompressionFormat format_of(File& file, Unpacking unpacking, std::uint64_t bytes) {
  if (unpacking == Unpacking::kNever) return CompressionFormat::kNone;
  std::vector<std::byte> begin;
  const auto peek = [&](std::size_t wanted) {
    begin.resize(wanted);
    begin.resize(file.read_at(0, begin));
    return std::span<const std::byte>(begin);
  };
  const auto leading = peek(kArchiveMagicBytes);
  refuse_foreign_format(leading, file.path(), unpacking);
  if (unpacking == Unpacking::kByMagic) refuse_encrypted_table(file, leading, bytes);
  return sure_format(file.path(), unpacking, leading, peek);
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

std::unique_ptr<Input> open_input(FileSystem& files, const std::string& path, Unpacking unpacking,
                                  std::uint64_t window_bytes, const WarningSink& warn) {
  return open_input(files.open_input(path), unpacking, window_bytes, std::nullopt, warn);
}

std::unique_ptr<Input> open_input(std::unique_ptr<File> file, Unpacking unpacking, std::uint64_t window_bytes,
                                  std::optional<std::uint64_t> known_bytes, const WarningSink& warn) {
  // Files of size 0 are read as streams: those of /proc have no size but have contents.
  const std::uint64_t bytes = file->seekable() ? known_bytes.value_or(file->size()) : 0;
  if (bytes == 0) return make_input(ByteSource(std::move(file)), unpacking, window_bytes, warn);
  const CompressionFormat format = format_of(*file, unpacking, bytes);
  if (format != CompressionFormat::kNone) {
    return make_unpacked(ByteSource(std::move(file)), format, unpacking, window_bytes, warn);
  }
  if (bytes == kPageBytes && claims_too_much(*file)) {
    return make_input(ByteSource(std::move(file)), unpacking, window_bytes, warn);
  }
  return std::make_unique<PlainInput>(std::move(file), bytes);
}

}  // namespace sortie
