// Packs an output as xz, by liblzma's encoder and its threads, in blocks that can be unpacked by several threads.
#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <lzma.h>
#include <sortie/error.hpp>

#include "base/thread_team.hpp"
#include "io/output/packed_output.hpp"

namespace sortie {
namespace {

/// Bytes of a block before it is packed, and of the dictionary, which is of no use beyond a block. The encoder takes
/// twelve times as much memory, so more would not fit beside small memory budgets. Text that is sorted repeats itself
/// near by.
constexpr std::uint32_t kXzBlockBytes = 1 << 20;
constexpr std::size_t kXzPackedBytes = 256 << 10;

/// Bytes that the encoder is given at a time, so that a stop is noticed between.
constexpr std::size_t kStepBytes = 256 << 10;

class XzOutput final : public PackedOutput {
 public:
  XzOutput(std::unique_ptr<Output> target, int level, std::size_t packers);
  ~XzOutput() override { ::lzma_end(&stream_); }
  XzOutput(const XzOutput&) = delete;
  XzOutput& operator=(const XzOutput&) = delete;

  void write(std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  /// Passes on what has been packed. Returns true at the end of the stream.
  bool pack(lzma_action action);

  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::vector<std::byte> packed_;
};

XzOutput::XzOutput(std::unique_ptr<Output> target, int level, std::size_t packers)
    : PackedOutput(std::move(target)), packed_(kXzPackedBytes) {
  lzma_options_lzma lzma2;
  if (::lzma_lzma_preset(&lzma2, static_cast<std::uint32_t>(level)))
    throw Error("liblzma knows no level " + std::to_string(level));
  lzma2.dict_size = std::min(lzma2.dict_size, kXzBlockBytes);
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &lzma2}, {LZMA_VLI_UNKNOWN, nullptr}};
  lzma_mt options{};
  options.threads = static_cast<std::uint32_t>(packers);
  options.block_size = kXzBlockBytes;
  options.filters = filters;
  options.check = LZMA_CHECK_CRC64;
  const lzma_ret result = ::lzma_stream_encoder_mt(&stream_, &options);
  if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
  if (result != LZMA_OK) throw Error("cannot compress the output: liblzma takes no encoder of xz with threads");
}

void XzOutput::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    throw_if_stopped();
    const std::span<const std::byte> step = bytes.first(std::min(bytes.size(), kStepBytes));
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(step.data());
    stream_.avail_in = step.size();
    while (stream_.avail_in > 0) pack(LZMA_RUN);
    bytes = bytes.subspan(step.size());
  }
}

void XzOutput::finish() {
  while (!pack(LZMA_FINISH)) throw_if_stopped();
  target().finish();
}

bool XzOutput::pack(lzma_action action) {
  stream_.next_out = reinterpret_cast<std::uint8_t*>(packed_.data());
  stream_.avail_out = packed_.size();
  const lzma_ret result = ::lzma_code(&stream_, action);
  if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
  if (result != LZMA_OK && result != LZMA_STREAM_END) {
    throw Error("cannot compress the output: liblzma fails with " + std::to_string(result));
  }
  target().write(std::span<const std::byte>(packed_).first(packed_.size() - stream_.avail_out));
  return result == LZMA_STREAM_END;
}

}  // namespace

std::unique_ptr<Output> make_xz_output(std::unique_ptr<Output> target, int level, std::size_t packers) {
  return std::make_unique<XzOutput>(std::move(target), level, packers);
}

}  // namespace sortie
