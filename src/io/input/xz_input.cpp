// Inputs of xz, unpacked while they are read, by liblzma: with all threads where the writer cut them into blocks.
#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lzma.h>
#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/packed_input.hpp"

namespace sortie {
namespace {

/// The header of a stream, and the last letters of the one in front of it.
constexpr std::size_t kEndBytes = LZMA_STREAM_HEADER_SIZE + 2;

/// What the library needs beside the dictionary.
constexpr std::uint64_t kXzBytesBesideWindow = 2 << 20;
constexpr std::size_t kXzPackedBytes = 128 << 10;

class XzInput final : public PackedInput {
 public:
  XzInput(ByteSource source, std::uint64_t window_bytes);
  ~XzInput() override { ::lzma_end(&stream_); }
  XzInput(const XzInput&) = delete;
  XzInput& operator=(const XzInput&) = delete;

  std::uint64_t unpacking_bytes() const override { return limit_bytes_ + kXzPackedBytes; }

 private:
  std::size_t unpack(std::span<std::byte> target) override;
  [[noreturn]] void fail(lzma_ret result) const;
  void take_more();
  void refuse_other_part() const;

  std::uint64_t limit_bytes_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::vector<std::byte> passed_;  ///< the last bytes that were taken in before those of packed_
};

XzInput::XzInput(ByteSource source, std::uint64_t window_bytes)
    : PackedInput(std::move(source), kXzPackedBytes), limit_bytes_(window_bytes + kXzBytesBesideWindow) {
  lzma_mt options{};
  options.flags = LZMA_CONCATENATED;
  options.threads = static_cast<std::uint32_t>(parallel_threads());
  options.memlimit_threading = limit_bytes_;
  options.memlimit_stop = limit_bytes_;
  const lzma_ret result = ::lzma_stream_decoder_mt(&stream_, &options);
  if (result != LZMA_OK) fail(result);
}

std::size_t XzInput::unpack(std::span<std::byte> target) {
  if (stream_.avail_in == 0 && !source_ended_) take_more();
  stream_.next_out = reinterpret_cast<std::uint8_t*>(target.data());
  stream_.avail_out = target.size();
  const lzma_ret result = ::lzma_code(&stream_, source_ended_ ? LZMA_FINISH : LZMA_RUN);
  if (result == LZMA_STREAM_END) {
    ::lzma_end(&stream_);  // gives its memory back
    end();
  } else if (result != LZMA_OK) {
    fail(result);
  }
  return target.size() - stream_.avail_out;
}

void XzInput::take_more() {
  const std::size_t passed = stream_.next_in == nullptr ? 0 : std::min(kEndBytes, packed_.size());
  passed_.assign(packed_.end() - static_cast<std::ptrdiff_t>(passed), packed_.end());
  fill();
  stream_.next_in = reinterpret_cast<const std::uint8_t*>(left_.data());
  stream_.avail_in = left_.size();
  left_ = {};
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
  const std::size_t stream_end = text.rfind("YZ");
  if (stream_end == std::string::npos) return;
  append(std::span(packed_).subspan(taken, std::min<std::size_t>(stream_.avail_in, kMagicBytes)));
  const std::string_view tail = std::string_view(text).substr(stream_end + 2);
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
              std::to_string((limit_bytes_ - kXzBytesBesideWindow) >> 20) + " MiB; " +
              (limit_bytes_ < kMaxWindowBytes ? "raise the memory budget, " : "") +
              "compress it with a lower level or pipe it in unpacked");
}

}  // namespace

std::unique_ptr<Input> make_xz_input(ByteSource source, std::uint64_t window_bytes) {
  return std::make_unique<XzInput>(std::move(source), window_bytes);
}

}  // namespace sortie
