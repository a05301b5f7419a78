// Unpacks gzip, bzip2 and lz4, member after member, and knows where a member begins.
#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <bzlib.h>
#include <lz4frame.h>
#include <zlib.h>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/files/lz4_result.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/packed_input.hpp"

namespace sortie {
namespace {

/// zlib and libbz2 count the bytes of a call in 32 bits.
unsigned limited_count(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, std::numeric_limits<unsigned>::max()));
}

/// Whether `leading` begins with `magic`, or is too short to show it and begins like it.
bool begins_like(std::span<const std::byte> leading, std::string_view magic) {
  const auto is_same = [](std::byte byte, char of_magic) { return byte == std::byte(of_magic); };
  return std::equal(leading.begin(),
                    leading.begin() + static_cast<std::ptrdiff_t>(std::min(leading.size(), magic.size())),
                    magic.begin(), is_same);
}

/// Points the stream of either library at the bytes of a call.
template <class Stream, class Byte>
void aim(Stream& stream, Byte* packed, std::size_t packed_bytes, std::span<std::byte> target) {
  stream.next_in = packed;
  stream.avail_in = limited_count(packed_bytes);
  stream.next_out = reinterpret_cast<Byte*>(target.data());
  stream.avail_out = limited_count(target.size());
}

/// RFC 1952, by zlib.
class GzipUnpacker final : public MemberUnpacker {
 public:
  explicit GzipUnpacker(const std::string& path) : path_(path) {
    constexpr int kGzipWindowBits = 15 + 16;
    if (::inflateInit2(&stream_, kGzipWindowBits) != Z_OK) throw std::bad_alloc();
  }
  ~GzipUnpacker() override { ::inflateEnd(&stream_); }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;

  bool begins_member(std::span<const std::byte> leading) const override { return begins_like(leading, "\x1f\x8b"); }
  std::uint64_t memory_bytes() const override { return 64 << 10; }

  void begin() override {
    if (::inflateReset(&stream_) != Z_OK) throw_damaged(path_);
  }

  Step unpack(std::span<const std::byte> packed, std::span<std::byte> target) override {
    auto* const begin = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));  // zlib does not write there
    aim(stream_, begin, packed.size(), target);
    const unsigned room = stream_.avail_out;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && result != Z_STREAM_END) throw_damaged(path_);
    return {static_cast<std::size_t>(stream_.next_in - begin), room - stream_.avail_out, result == Z_STREAM_END};
  }

 private:
  const std::string& path_;
  z_stream stream_{};
};

/// By libbz2.
class Bzip2Unpacker final : public MemberUnpacker {
 public:
  explicit Bzip2Unpacker(const std::string& path) : path_(path) {}
  ~Bzip2Unpacker() override { end(); }
  Bzip2Unpacker(const Bzip2Unpacker&) = delete;
  Bzip2Unpacker& operator=(const Bzip2Unpacker&) = delete;

  /// A digit for the size of blocks follows the letters.
  bool begins_member(std::span<const std::byte> leading) const override {
    if (!begins_like(leading, "BZh")) return false;
    return leading.size() < kMagicBytes || (leading[3] >= std::byte{'1'} && leading[3] <= std::byte{'9'});
  }
  std::uint64_t memory_bytes() const override { return 4 << 20; }

  void begin() override {
    end();
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    is_open_ = true;
  }

  Step unpack(std::span<const std::byte> packed, std::span<std::byte> target) override {
    auto* const begin = reinterpret_cast<char*>(const_cast<std::byte*>(packed.data()));  // libbz2 does not write there
    aim(stream_, begin, packed.size(), target);
    const unsigned room = stream_.avail_out;
    const int result = BZ2_bzDecompress(&stream_);
    if (result == BZ_MEM_ERROR) throw std::bad_alloc();
    if (result != BZ_OK && result != BZ_STREAM_END) throw_damaged(path_);
    return {static_cast<std::size_t>(stream_.next_in - begin), room - stream_.avail_out, result == BZ_STREAM_END};
  }

 private:
  void end() {
    if (is_open_) BZ2_bzDecompressEnd(&stream_);
    is_open_ = false;
    stream_ = {};
  }

  const std::string& path_;
  bz_stream stream_{};
  bool is_open_ = false;
};

/// By liblz4.
class Lz4Unpacker final : public MemberUnpacker {
 public:
  explicit Lz4Unpacker(const std::string& path) : path_(path) {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION))) throw std::bad_alloc();
  }
  ~Lz4Unpacker() override { LZ4F_freeDecompressionContext(context_); }
  Lz4Unpacker(const Lz4Unpacker&) = delete;
  Lz4Unpacker& operator=(const Lz4Unpacker&) = delete;

  /// A frame, or one that is skipped. Fewer bytes than the magic has count as a frame that is cut short.
  bool begins_member(std::span<const std::byte> leading) const override {
    constexpr std::uint32_t kFrame = 0x184d2204;
    constexpr std::uint32_t kSkippable = 0x184d2a50;
    if (leading.empty()) return false;
    std::uint32_t magic = 0;
    for (std::size_t i = 0; i < leading.size(); ++i) magic |= std::to_integer<std::uint32_t>(leading[i]) << (8 * i);
    const std::uint32_t known = leading.size() < 4 ? (1U << (8 * leading.size())) - 1 : ~0U;
    return magic == (kFrame & known) || (magic & ~0xfU) == (kSkippable & known & ~0xfU);
  }

  /// Two blocks of 4 MiB, of which one is packed, and 64 KiB in front of each that it may refer to.
  std::uint64_t memory_bytes() const override { return 9 << 20; }

  void begin() override { LZ4F_resetDecompressionContext(context_); }

  // The end mark of a frame is taken only when all in front of it has been given.
  Step unpack(std::span<const std::byte> packed, std::span<std::byte> target) override {
    std::size_t taken = packed.size();
    std::size_t made = target.size();
    const std::size_t result = LZ4F_decompress(context_, target.data(), &made, packed.data(), &taken, nullptr);
    if (is_lz4_error(result)) throw_damaged(path_);
    return {taken, made, result == 0};
  }

 private:
  const std::string& path_;
  LZ4F_dctx* context_ = nullptr;
};

constexpr std::size_t kPackedBytes = 64 << 10;

class MemberInput final : public PackedInput {
 public:
  MemberInput(ByteSource source, std::unique_ptr<MemberUnpacker> unpacker, WarningSink warn,
              std::span<const std::byte> begun)
      : PackedInput(std::move(source), std::max(begun.size(), kPackedBytes)),
        unpacker_(std::move(unpacker)),
        warn_(std::move(warn)),
        unpacking_bytes_(unpacker_->memory_bytes() + kPackedBytes) {
    std::ranges::copy(begun, packed_.begin());
    left_ = std::span<const std::byte>(packed_).first(begun.size());
  }

  std::uint64_t unpacking_bytes() const override { return unpacking_bytes_; }

  /// A member of the source has been unpacked already.
  void go_on() { is_first_ = false; }

 private:
  std::size_t unpack(std::span<std::byte> target) override;
  bool begins_member();
  void refuse_other_form();
  bool only_zeros_follow();

  std::unique_ptr<MemberUnpacker> unpacker_;
  WarningSink warn_;
  std::uint64_t unpacking_bytes_;
  bool is_first_ = true;  ///< no member has begun
  bool in_member_ = false;
};

std::size_t MemberInput::unpack(std::span<std::byte> target) {
  if (!in_member_) {
    if (!begins_member()) {
      end();
      unpacker_.reset();
      return 0;
    }
    unpacker_->begin();
    is_first_ = false;
    in_member_ = true;
  }
  if (left_.empty() && !fill()) throw_damaged(path());
  const MemberUnpacker::Step step = unpacker_->unpack(left_, target);
  left_ = left_.subspan(step.taken);
  in_member_ = !step.at_end;
  return step.made;
}

// Whether another member begins behind the last one.
bool MemberInput::begins_member() {
  if (left_.size() < MemberUnpacker::kMagicBytes) fill();
  if (is_first_) return true;
  if (left_.empty()) return false;
  // A member that is cut short in its first bytes counts as one: reading it reports the damage.
  if (unpacker_->begins_member(left_.first(std::min(left_.size(), MemberUnpacker::kMagicBytes)))) return true;
  refuse_other_form();
  if (!only_zeros_follow() && warn_) warn_(quote_path(path()) + ": decompression OK, trailing garbage ignored");
  return false;
}

// Files packed by several programs, one behind the other, hold records that would be lost.
void MemberInput::refuse_other_form() {
  while (left_.size() < kMagicBytes && fill()) {
  }
  const auto leading = left_.first(std::min(left_.size(), kMagicBytes));
  if (begins_packed(leading)) throw_other_part(path(), leading);
}

// Tapes fill up their blocks with zeros.
bool MemberInput::only_zeros_follow() {
  do {
    if (!std::ranges::all_of(left_, [](std::byte byte) { return byte == std::byte{}; })) return false;
    left_ = {};
  } while (fill());
  return true;
}

}  // namespace

std::unique_ptr<MemberUnpacker> make_gzip_unpacker(const std::string& path) {
  return std::make_unique<GzipUnpacker>(path);
}

std::unique_ptr<MemberUnpacker> make_bzip2_unpacker(const std::string& path) {
  return std::make_unique<Bzip2Unpacker>(path);
}

std::unique_ptr<MemberUnpacker> make_lz4_unpacker(const std::string& path) {
  return std::make_unique<Lz4Unpacker>(path);
}

std::unique_ptr<Input> make_member_input(ByteSource source, std::unique_ptr<MemberUnpacker> unpacker,
                                         WarningSink warn) {
  return std::make_unique<MemberInput>(std::move(source), std::move(unpacker), std::move(warn),
                                       std::span<const std::byte>());
}

std::unique_ptr<Input> make_member_input(ByteSource source, std::unique_ptr<MemberUnpacker> unpacker, WarningSink warn,
                                         std::span<const std::byte> begun) {
  auto input = std::make_unique<MemberInput>(std::move(source), std::move(unpacker), std::move(warn), begun);
  input->go_on();
  return input;
}

}  // namespace sortie
