#include "io/input/xz_input.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/thread_team.hpp"
#include "io/input/compression_format.hpp"

namespace sortie {

XzInput::XzInput(ByteSource source, std::uint64_t window_bytes)
    : source_(std::move(source)), limit_bytes_(window_bytes + kBytesBesideWindow), packed_(kPackedBytes) {
  lzma_mt options{};
  options.flags = LZMA_CONCATENATED;
  options.threads = static_cast<std::uint32_t>(parallel_threads());
  options.memlimit_threading = limit_bytes_;
  options.memlimit_stop = limit_bytes_;
  const lzma_ret result = ::lzma_stream_decoder_mt(&stream_, &options);
  if (result != LZMA_OK) fail(result);
}

std::size_t XzInput::read(std::span<std::byte> target) {
  std::size_t done = 0;
  while (done < target.size() && !ended_) {
    throw_if_stopped();
    done += unpack(target.subspan(done, std::min(target.size() - done, kBytesBetweenStops)));
  }
  return done;
}

std::size_t XzInput::unpack(std::span<std::byte> target) {
  if (stream_.avail_in == 0 && !source_ended_) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(packed_.data());
    stream_.avail_in = source_.read(packed_);
    source_ended_ = stream_.avail_in < packed_.size();
  }
  stream_.next_out = reinterpret_cast<std::uint8_t*>(target.data());
  stream_.avail_out = target.size();
  const lzma_ret result = ::lzma_code(&stream_, source_ended_ ? LZMA_FINISH : LZMA_RUN);
  if (result == LZMA_STREAM_END) {
    ended_ = true;
    ::lzma_end(&stream_);  // gives its memory back
    packed_ = {};
  } else if (result != LZMA_OK) {
    fail(result);
  }
  return target.size() - stream_.avail_out;
}

void XzInput::fail(lzma_ret result) const {
  if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
  if (result != LZMA_MEMLIMIT_ERROR) throw_damaged(path());
  throw Error("cannot unpack " + quote_word(path()) + ": its xz dictionary takes more than " +
              std::to_string((limit_bytes_ - kBytesBesideWindow) >> 20) + " MiB; " +
              (limit_bytes_ < kMaxWindowBytes ? "raise the memory budget, " : "") +
              "compress it with a lower level or pipe it in unpacked");
}

}  // namespace sortie
