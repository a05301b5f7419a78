#include "io/input/open_input.hpp"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "io/input/byte_source.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/packed_begin.hpp"
#include "io/input/packed_input.hpp"
#include "io/input/plain_input.hpp"

namespace sortie {
namespace {

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
  if (unpacking == Unpacking::kArchive) return;
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
  if (unpacking != Unpacking::kIfSure) {
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

/// Unpacks all members (gzip, BGZF, bzip2), frames (zstd, lz4) or streams (xz) of `source` in turn; BGZF, and xz that
/// is in blocks, with all threads. Memory is bounded by the format's window: 32 KiB, 4 MB for bzip2 and lz4, and for
/// zstd and xz what the writer asked for, `window_bytes` at most. It is given back at the end of the input.
/// Precondition: format is not kNone.
std::unique_ptr<Input> make_compressed_input(ByteSource source, CompressionFormat format, std::uint64_t window_bytes,
                                             const WarningSink& warn) {
  std::unique_ptr<MemberUnpacker> unpacker;
  switch (format) {
    case CompressionFormat::kZstd:
      return make_zstd_input(std::move(source), window_bytes);
    case CompressionFormat::kXz:
      return make_xz_input(std::move(source), window_bytes);
    case CompressionFormat::kBgzf:
      return make_bgzf_input(std::move(source), warn);
    case CompressionFormat::kGzip:
      unpacker = make_gzip_unpacker(source.path());
      break;
    case CompressionFormat::kBzip2:
      unpacker = make_bzip2_unpacker(source.path());
      break;
    case CompressionFormat::kLz4:
      unpacker = make_lz4_unpacker(source.path());
      break;
    case CompressionFormat::kNone:
      assert(false && "not a compressed format");
  }
  return make_member_input(std::move(source), std::move(unpacker), warn);
}

/// What a packed input holds, once it is unpacked: records, and not another archive or packed file.
class UnpackedInput final : public Input {
 public:
  /// `input`: a packed one, of which nothing has been read.
  UnpackedInput(std::unique_ptr<Input> input, Unpacking unpacking) : input_(std::move(input)), unpacking_(unpacking) {}

  const std::string& path() const override { return input_->path(); }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::uint64_t unpacking_bytes() const override { return input_->unpacking_bytes(); }
  /// Throws Error as `input` does, and if what is unpacked is packed once more, or an archive.
  std::size_t read(std::span<std::byte> target) override;

 private:
  void refuse_packed_contents() const;
  std::size_t take_begin(std::span<std::byte> target);

  std::unique_ptr<Input> input_;
  Unpacking unpacking_;
  bool has_begun_ = false;
  std::vector<std::byte> begin_;  ///< read to see what it is
  std::size_t taken_ = 0;         ///< of begin_
};

std::size_t UnpackedInput::read(std::span<std::byte> target) {
  if (!has_begun_) {
    has_begun_ = true;
    begin_.resize(kArchiveMagicBytes);
    begin_.resize(input_->read(begin_));
    refuse_packed_contents();
  }
  const std::size_t taken = take_begin(target);
  return taken == target.size() ? taken : taken + input_->read(target.subspan(taken));
}

// Records of any bytes may begin with any magic.
void UnpackedInput::refuse_packed_contents() const {
  if (unpacking_ == Unpacking::kArchive) return;
  const auto inner = name_of_packed(begin_);
  if (!inner) return;
  const bool is_whole = begin_.size() < kArchiveMagicBytes;
  const bool is_sure = unpacking_ == Unpacking::kByMagic || is_packed_twice_by_name(path()) ||
                       can_be_unpacked(recognise_magic(begin_), begin_, is_whole);
  if (!is_sure) return;
  const std::optional<ForeignFormat> foreign = recognise_foreign(begin_);
  const std::string_view remedy = foreign ? foreign->remedy : "unpack it with its own program first";
  throw Error("input " + quote_path(path()) + ": what it holds is " + std::string(*inner) +
              (name_of_genomes(begin_) ? ", and no lines: say its format, and ask for no order of lines"
                                       : " in turn; " + std::string(remedy)));
}

std::size_t UnpackedInput::take_begin(std::span<std::byte> target) {
  if (begin_.empty()) return 0;
  const std::size_t bytes = std::min(target.size(), begin_.size() - taken_);
  std::copy_n(begin_.begin() + static_cast<std::ptrdiff_t>(taken_), bytes, target.begin());
  taken_ += bytes;
  if (taken_ == begin_.size()) begin_ = {};
  return bytes;
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
