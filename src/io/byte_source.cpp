#include "io/byte_source.hpp"

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
  return std::span(buffer_).first(std::min(bytes, end_));
}

std::size_t ByteSource::read(std::span<std::byte> target) {
  std::size_t done = 0;
  while (done < target.size()) {
    const std::span<std::byte> rest = target.subspan(done);
    if (begin_ == end_) {
      begin_ = end_ = 0;
      if (rest.size() >= kBufferBytes) {
        const std::size_t bytes = file_->read(rest);
        if (bytes == 0) break;
        done += bytes;
        continue;
      }
      if (!fill()) {
        buffer_ = {};
        break;
      }
    }
    const std::size_t bytes = std::min(rest.size(), end_ - begin_);
    std::memcpy(rest.data(), buffer_.data() + begin_, bytes);
    begin_ += bytes;
    done += bytes;
  }
  return done;
}

bool ByteSource::fill() {
  if (buffer_.empty()) buffer_.resize(kBufferBytes);
  const std::size_t bytes = file_->read(std::span(buffer_).subspan(end_));
  end_ += bytes;
  return bytes != 0;
}

}  // namespace sortie
