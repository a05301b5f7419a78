#include "pipeline/setup/job_inputs.hpp"

#include <utility>

#include "pipeline/setup/reference_input.hpp"

namespace sortie {
namespace {

/// With SortOptions::top_records, little is sorted. The records may be longer than estimated.
InputEstimate limited_to_top(InputEstimate estimate, const SortOptions& options) {
  if (options.top_records == 0 || options.merge_only || estimate.record_bytes == 0 || !estimate.bytes) return estimate;
  const std::uint64_t record_bytes = 2 * estimate.record_bytes;
  if (*estimate.bytes / record_bytes > options.top_records) estimate.bytes = options.top_records * record_bytes;
  return estimate;
}

}  // namespace

JobInputs::JobInputs(FileSystem& files, const SortOptions& options)
    : opener_(files, options), resolved_(resolve(options, opener_.find_header())) {}

void JobInputs::open(Observer& observer) {
  const SortOptions& options = resolved_.options;
  reader_ = std::make_unique<RecordReader>(opener_, options.inputs, resolved_.input_format, options.verify, observer);
}

void JobInputs::continue_at(const InputMark& mark) {
  reader_->go_on_at(mark);
  count_resumed(mark);
}

void JobInputs::take_facts() {
  const SortOptions& options = resolved_.options;
  if (reader_) {
    facts_.bytes = reader_->total_bytes();
    const bool shows_lines = facts_.bytes && resolved_.input_format.kind == RecordKind::kLines;
    const auto sample = shows_lines ? reader_->sample(kEstimateSampleBytes) : std::vector<std::byte>();
    facts_.sorted = limited_to_top(
        estimate_input(facts_.bytes, sample, resolved_.input_format, resolved_.decorator.get()), options);
  } else {
    facts_.sorted.record_bytes = options.format.record_bytes;
  }
  if (!facts_.sorted.bytes || options.merge_only) facts_.stored_bytes = file_bytes(options.inputs);
}

bool JobInputs::leave_lines_in_place() {
  std::optional<LinesInPlace> lines = refer_to_input(resolved_, *reader_);
  if (!lines) return false;
  resolved_.decorator = std::move(lines->decorator);
  facts_.sorted = lines->estimate;
  return true;
}

}  // namespace sortie
