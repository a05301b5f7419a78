#include "io/input/gzip_input.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include <sortie/quote.hpp>

#include "io/input/compressed_input.hpp"

namespace sortie {
namespace {

constexpr std::size_t kPackedBytes = 64 << 10;
constexpr int kGzipWindowBits = 15 + 16;
constexpr Bytef kMagic[] = {0x1f, 0x8b};

}  // namespace

GzipInput::GzipInput(ByteSource source, WarningSink warn)
    : source_(std::move(source)), warn_(std::move(warn)), stream_(std::make_unique<z_stream>()), packed_(kPackedBytes) {
  if (::inflateInit2(stream_.get(), kGzipWindowBits) != Z_OK) throw std::bad_alloc();
}

GzipInput::~GzipInput() { ::inflateEnd(stream_.get()); }

std::size_t GzipInput::read(std::span<std::byte> target) {
  std::size_t done = 0;
  while (done < target.size() && !ended_) done += unpack(target.subspan(done));
  return done;
}

std::size_t GzipInput::unpack(std::span<std::byte> target) {
  if (!in_member_ && !begins_member()) {
    ended_ = true;
    return 0;
  }
  if (stream_->avail_in == 0 && !fill()) throw_damaged(path());
  const std::size_t wanted = std::min<std::size_t>(target.size(), std::numeric_limits<uInt>::max());
  stream_->next_out = reinterpret_cast<Bytef*>(target.data());
  stream_->avail_out = static_cast<uInt>(wanted);
  const int result = ::inflate(stream_.get(), Z_NO_FLUSH);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result != Z_OK && result != Z_STREAM_END) throw_damaged(path());
  in_member_ = result == Z_OK;
  return wanted - stream_->avail_out;
}

// Reads more behind the bytes that are left. Returns false at the end of the file.
bool GzipInput::fill() {
  const std::size_t left = stream_->avail_in;
  Bytef* const packed = reinterpret_cast<Bytef*>(packed_.data());
  std::copy_n(stream_->next_in, left, packed);
  const std::size_t got = source_.read(std::span(packed_).subspan(left));
  stream_->next_in = packed;
  stream_->avail_in = static_cast<uInt>(left + got);
  return got != 0;
}

// Whether another member begins behind the last one.
bool GzipInput::begins_member() {
  if (stream_->avail_in < std::size(kMagic)) fill();
  if (stream_->avail_in == 0) return false;
  // A member that is cut short in its first bytes counts as one: reading it reports the damage.
  const std::size_t there = std::min<std::size_t>(stream_->avail_in, std::size(kMagic));
  if (std::equal(kMagic, kMagic + there, stream_->next_in)) {
    in_member_ = true;
    return ::inflateReset(stream_.get()) == Z_OK;
  }
  if (!only_zeros_follow() && warn_) warn_(quote_path(path()) + ": decompression OK, trailing garbage ignored");
  return false;
}

// Tapes fill up their blocks with zeros.
bool GzipInput::only_zeros_follow() {
  do {
    const auto is_zero = [](Bytef byte) { return byte == 0; };
    if (!std::all_of(stream_->next_in, stream_->next_in + stream_->avail_in, is_zero)) return false;
    stream_->avail_in = 0;
  } while (fill());
  return true;
}

}  // namespace sortie
