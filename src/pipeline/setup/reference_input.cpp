#include "pipeline/setup/reference_input.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "entries/entry.hpp"
#include "pipeline/input/order_sample.hpp"
#include "pipeline/setup/job_plan.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// Leaving out fewer bytes does not pay for the byte that says so.
constexpr std::size_t kLeastCommonBytes = 4;

/// The common beginning of the keys of all sampled lines, shorter than any of them.
std::string keys_in_common(const RecordCodec& codec, std::span<const std::byte> sample) {
  EncodedLines encoded;
  std::string common;
  bool is_first = true;
  for_each_record(layout_of(codec.input_format()), sample, [&](const std::byte* line, std::uint64_t stored) {
    encoded.clear();
    codec.encode({line, static_cast<std::size_t>(stored)}, 0, encoded);
    const std::string_view keys = as_text(codec.keys(encoded.bytes()));
    if (std::exchange(is_first, false)) common = keys;
    const auto differs = std::mismatch(common.begin(), common.end(), keys.begin(), keys.end()).first;
    common.resize(std::min(static_cast<std::size_t>(differs - common.begin()), keys.size() - 1));
  });
  if (common.size() < kLeastCommonBytes) common.clear();
  return common;
}

/// Memory needed beside runs: the lines, and the entries of lines with equal keys, which can be all lines, until those
/// have been put in order.
std::uint64_t bytes_beside_runs(const RecordCodec& codec, const InputEstimate& estimate) {
  if (!codec.line_bytes_decide() || estimate.record_bytes == 0) return estimate.held_bytes;
  return estimate.held_bytes + *estimate.bytes / estimate.record_bytes * sizeof(Entry);
}

}  // namespace

std::optional<LinesInPlace> refer_to_input(const SortSpec& spec, const MemoryBudget& budget, RecordReader& records) {
  if (!records.map_in_place()) return std::nullopt;
  const std::span<const std::byte> lines = records.in_place();
  const std::vector<std::byte> sample = records.sample_in_place();
  RecordCodec referring = spec.codec->referring_to(lines);
  referring = referring.referring_to(lines, keys_in_common(referring, sample));
  InputEstimate estimate = estimate_input(records.total_bytes(), sample, referring);
  estimate.held_bytes = lines.size();
  InputEstimate with_ties = estimate;
  with_ties.held_bytes = bytes_beside_runs(referring, estimate);
  if (sample.empty() || !fits_one_run(memory_plan_input(spec, budget, with_ties, true, 1))) {
    records.give_up_mapping();
    return std::nullopt;
  }
  EncodedLines encoded = encoded_sample(referring, sample);
  return LinesInPlace{std::make_shared<const RecordCodec>(std::move(referring)), estimate, std::move(encoded)};
}

}  // namespace sortie
