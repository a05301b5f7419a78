#include "pipeline/setup/input_estimate.hpp"

#include <algorithm>

#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// Margins: other lines may get longer keys than those of the sample, and they may be shorter.
constexpr double kExpansionToSpare = 1.1;
constexpr std::uint64_t kBytesToSpare = 4 << 10;
constexpr double kLengthToSpare = 0.75;

/// Sizes of the sample, which is encoded in a millisecond. Of a small input all may be in memory, however large it
/// turns out to be: to look at a share of it is enough.
constexpr std::size_t kLeastSampleBytes = 8 << 10;
constexpr std::size_t kMostSampleBytes = 128 << 10;
constexpr std::uint64_t kSampleShare = 16;

std::uint64_t encoded_bytes(const RecordCodec& codec, const Layout& layout, std::span<const std::byte> lines) {
  std::uint64_t bytes = 0;
  EncodedLines encoded;
  for_each_record(layout, lines, [&](const std::byte* line, std::uint64_t stored) {
    encoded.clear();
    codec.encode({line, static_cast<std::size_t>(stored)}, 0, encoded);
    bytes += encoded.size();
  });
  return bytes;
}

}  // namespace

std::size_t estimate_sample_bytes(std::uint64_t input_bytes) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(input_bytes / kSampleShare, kLeastSampleBytes, kMostSampleBytes));
}

InputEstimate estimate_input(std::optional<std::uint64_t> bytes, std::span<const std::byte> sample,
                             const RecordCodec& codec) {
  const Format& format = codec.input_format();
  InputEstimate estimate{bytes, format.record_bytes};
  if (!bytes || (format.record_bytes != 0 && !codec.makes_keys()) || sample.empty()) return estimate;
  const Layout layout = layout_of(format);
  const std::uint64_t sorted_bytes = codec.makes_keys() ? encoded_bytes(codec, layout, sample) : sample.size();
  const auto record_count = static_cast<double>(count_records(layout, sample));
  const double mean_bytes = static_cast<double>(sorted_bytes) / record_count;
  estimate.record_bytes = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(mean_bytes * kLengthToSpare));
  if (codec.makes_keys()) {
    const double expansion = static_cast<double>(sorted_bytes) / static_cast<double>(sample.size()) * kExpansionToSpare;
    estimate.bytes = static_cast<std::uint64_t>(static_cast<double>(*estimate.bytes) * expansion) + kBytesToSpare;
  }
  return estimate;
}

}  // namespace sortie
