#include "io/input/byte_source.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sortie {
namespace {

constexpr std::size_t kBufferBytes = 128 << 10;

}  // namespace

std::span<const std::byte> ByteSource::peek(std::size_t bytes) {
  assert(bytes <= kBufferBytes && begin_ == 0);
  while (end_ < bytes && fill()) {
  }
  return {buffer_.get(), std::min(bytes, end_)};
}

std::size_t ByteSource::read(std::span<std::byte> target) {
  std::size_t done = 0;
  while (done < target.size()) {
    const std::size_t bytes = read_some(target.subspan(done));
    if (bytes == 0) break;
    done += bytes;
  }
  return done;
}

std::size_t ByteSource::read_some(std::span<std::byte> target) {
  if (begin_ < end_) return take_buffered(target);
  begin_ = end_ = 0;
  if (target.size() >= kBufferBytes) return file_->read(target);
  if (fill()) return take_buffered(target);
  buffer_.reset();
  return 0;
}

std::size_t ByteSource::take_buffered(std::span<std::byte> target) {
  const std::size_t bytes = std::min(target.size(), end_ - begin_);
  std::memcpy(target.data(), buffer_.get() + begin_, bytes);
  begin_ += bytes;
  return bytes;
}

// The buffer is not cleared: of a few lines from a pipe its other pages are never touched.
bool ByteSource::fill() {
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<std::byte[]>(kBufferBytes);
  const std::size_t bytes = file_->read({buffer_.get() + end_, kBufferBytes - end_});
  end_ += bytes;
  return bytes != 0;
}

}  // namespace sortie
