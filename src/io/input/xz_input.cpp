#include "io/input/xz_input.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/thread_team.hpp"
#include "io/input/compression_format.hpp"

namespace sortie {
namespace {

/// The header of a stream, and the last letters of the one in front of it.
constexpr std::size_t kEndBytes = LZMA_STREAM_HEADER_SIZE + 2;

}  // namespace

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
  if (stream_.avail_in == 0 && !source_ended_) take_more();
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

void XzInput::take_more() {
  const std::size_t passed = stream_.next_in == nullptr ? 0 : std::min(kEndBytes, packed_.size());
  passed_.assign(packed_.end() - static_cast<std::ptrdiff_t>(passed), packed_.end());
  stream_.next_in = reinterpret_cast<const std::uint8_t*>(packed_.data());
  stream_.avail_in = source_.read(packed_);
  source_ended_ = stream_.avail_in < packed_.size();
}

// The library does not say where it found the fault: it has taken in the header of a further stream, or all that is
// left, behind the two letters that end a stream.
void XzInput::refuse_other_part() const {
  constexpr std::string_view kStreamBegin(
      "\xfd"
      "7zXZ\x00",
      6);
  std::string text;
  const auto append = [&](std::span<const std::byte> bytes) {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const auto taken = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(stream_.next_in) - packed_.data());
  append(passed_);
  append(std::span(packed_).first(taken));
  text.erase(0, text.size() - std::min(text.size(), kEndBytes));
  const std::size_t end = text.rfind("YZ");
  if (end == std::string::npos) return;
  append(std::span(packed_).subspan(taken, std::min<std::size_t>(stream_.avail_in, kMagicBytes)));
  const std::string_view tail = std::string_view(text).substr(end + 2);
  const bool begins_stream = tail.substr(0, kStreamBegin.size()) == kStreamBegin.substr(0, tail.size());
  if (begins_stream || tail.front() == '\0') return;
  throw_other_part(path(), std::as_bytes(std::span(tail).first(std::min(tail.size(), kMagicBytes))));
}

void XzInput::fail(lzma_ret result) const {
  if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
  if (result != LZMA_MEMLIMIT_ERROR) {
    refuse_other_part();
    throw_damaged(path());
  }
  throw Error("cannot unpack " + quote_word(path()) + ": its xz dictionary takes more than " +
              std::to_string((limit_bytes_ - kBytesBesideWindow) >> 20) + " MiB; " +
              (limit_bytes_ < kMaxWindowBytes ? "raise the memory budget, " : "") +
              "compress it with a lower level or pipe it in unpacked");
}

}  // namespace sortie
