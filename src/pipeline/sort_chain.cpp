#include "pipeline/sort_chain.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "observe/assumptions.hpp"
#include "pipeline/output/finisher.hpp"
#include "pipeline/setup/chain_shape.hpp"

namespace sortie {
namespace {

/// Payloads that are collected before they are passed on.
constexpr std::size_t kDeliveredBytes = 1 << 20;

/// In entries of several lines, an input may begin with lines that belong to none in front of it.
std::size_t inputs_of_sample(const SortOptions& options) {
  return options.format.text.record_start ? std::max<std::size_t>(options.inputs.size(), 1) : 1;
}

/// What no observer sees.
void add_counts(SortReport& report, const SortReport& later) {
  report.verified = report.verified && later.verified;
  report.runs += later.runs;
  report.runs_spilled += later.runs_spilled;
  report.merge_passes = std::max(report.merge_passes, later.merge_passes);
  report.windows += later.windows;
  report.run_bytes += later.run_bytes;
  report.stored_bytes += later.stored_bytes;
  report.memory_budget_bytes += later.memory_budget_bytes;
  report.merge_seconds += later.merge_seconds;
  report.assumptions.insert(report.assumptions.end(), later.assumptions.begin(), later.assumptions.end());
}

}  // namespace

SortChain::LaterSort::LaterSort(SortOptions options, std::string header, RecordForm form, std::size_t inputs,
                                const Names& names, Observer& observer, LaterSortRunner run_later)
    : header_(std::move(header)),
      form_(form),
      inputs_(inputs),
      names_(names),
      observer_(observer),
      run_(run_later),
      sort_(std::move(options), [this](const SortOptions& with_streams) { return run(with_streams); }) {}

void SortChain::LaterSort::push(std::span<const std::byte> records) {
  const auto span = observer_.span("pass records on", records.size());
  sort_.push(records);
  pushed_bytes_ += records.size();
}

template <class Take>
SortReport SortChain::LaterSort::pull_all(const Take& take) {
  const auto pull = [&] {
    const auto span = observer_.span("wait for records");
    return sort_.pull();
  };
  observer_.begin_phase(names_.phase, pushed_bytes_);
  for (auto records = pull(); !records.empty(); records = pull()) {
    take(records);
    observer_.advance(records.size());
  }
  if (sort_.report().input_bytes != pushed_bytes_) {
    throw_output_fault("a later sort has taken other records than the one before gave");
  }
  return sort_.report();
}

// Called on the thread of the sort.
SortReport SortChain::LaterSort::run(SortOptions options) {
  Observer observer(observer_, names_.sort);
  observer.expect_records_of_sort();
  observer.assumptions().leave_positions_out();
  options.source = [&, give = std::move(options.source)](std::span<std::byte> target) {
    const auto span = observer.span("wait for records");
    return give(target);
  };
  options.sink = [&, take = std::move(options.sink)](std::span<const std::byte> records) {
    const auto span = observer.span("pass records on", records.size());
    take(records);
  };
  return run_(options, inputs_, form_, header_, observer);
}

SortChain::SortChain(const SortOptions& options, std::string header, RecordForm form, unsigned threads,
                     std::uint64_t memory_bytes, Output& target, Observer& observer, LaterSortRunner run_later)
    : options_(options),
      target_(target),
      observer_(observer),
      by_position_(second_of_chain(options, threads, memory_bytes), "", RecordForm::kPlain, 1,
                   {"by place", "restoring order"}, observer, run_later),
      is_framed_(form == RecordForm::kFramed && !has_third_sort(options)) {
  if (has_third_sort(options)) {
    sample_.emplace(third_of_chain(options, threads, memory_bytes), std::move(header), form, inputs_of_sample(options),
                    LaterSort::Names{"the sample", "sorting the sample"}, observer, run_later);
  } else if (options.top_records != 0) {
    most_records_ = options.top_records;
  }
}

// The sort by position gives length-prefixed records, whole ones.
void SortChain::finish() {
  later_.push_back(by_position_.pull_all([&](std::span<const std::byte> records) {
    const auto span = observer_.span("cut keys off", records.size());
    for_each_prefixed_record(records, [&](const std::byte* record, std::uint64_t stored) {
      take(PrefixedParts({record, static_cast<std::size_t>(stored)}));
    });
    deliver();
  }));
  if (sample_) {
    later_.push_back(sample_->pull_all([&](std::span<const std::byte> records) { write_to_target(records); }));
  }
}

// Passes the payload on, in a frame if that is wanted. The record without a key is the header, which comes first, and
// by itself. The sort of a sample knows it: among records that begin like a header nobody could find its end.
void SortChain::take(const PrefixedParts& record) {
  const bool is_header = record.key.empty();
  if (is_header && sample_) return;
  if (!is_header) {
    begin_input_if_needed(record.payload);
    if (output_records_ == most_records_) return;
    ++output_records_;
    output_bytes_ += record.payload.size();
  }
  if (is_framed_) {
    append_prefixed_record({}, record.payload, text_);
  } else {
    text_.insert(text_.end(), record.payload.begin(), record.payload.end());
  }
  if (is_header || text_.size() >= kDeliveredBytes) deliver();
}

// An entry that begins with no line of its own, as the first of an input may, begins another input of the next sort,
// which would take it to the entry in front of it.
void SortChain::begin_input_if_needed(std::span<const std::byte> payload) {
  const RecordStart& start = options_.format.text.record_start;
  if (!sample_ || !start) return;
  const std::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
  if (!std::exchange(has_records_, true) || start.matches(text.substr(0, text.find('\n')))) return;
  deliver();
  sample_->begin_input();
}

void SortChain::deliver() {
  if (text_.empty()) return;
  if (sample_) {
    sample_->push(text_);
  } else {
    write_to_target(text_);
  }
  text_.clear();
}

void SortChain::write_to_target(std::span<const std::byte> records) {
  const auto span = observer_.span("write", records.size());
  target_.write(records);
}

SortReport SortChain::report_of_all(SortReport first) const {
  if (later_.empty()) return first;
  SortReport report = std::move(first);
  for (const SortReport& later : later_) add_counts(report, later);
  if (sample_) {
    const SortReport& third = later_.back();
    report.output_records = third.output_records;
    report.output_bytes = third.output_bytes;
    report.engine = third.engine;
    report.engine_reason = third.engine_reason;
    report.device_failure = third.device_failure;
    report.device_budget_bytes = third.device_budget_bytes;
    report.devices = third.devices;
  } else if (options_.top_records != 0) {
    report.output_records = output_records_;
    report.output_bytes = output_bytes_;
  }
  return report;
}

}  // namespace sortie
