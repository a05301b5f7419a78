#include "io/input/member_unpacker.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <string_view>

#include "io/input/compressed_input.hpp"

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

}  // namespace

std::unique_ptr<MemberUnpacker> make_gzip_unpacker(const std::string& path) {
  return std::make_unique<GzipUnpacker>(path);
}

std::unique_ptr<MemberUnpacker> make_bzip2_unpacker(const std::string& path) {
  return std::make_unique<Bzip2Unpacker>(path);
}

}  // namespace sortie
