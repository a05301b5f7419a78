#include "pipeline/sort_chain.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <sortie/sorter.hpp>

#include "pipeline/setup/chain_shape.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

/// Payloads that are collected before they are passed on.
constexpr std::size_t kPassedOnBytes = 1 << 20;

void add_stages(std::vector<StageReport>& stages, const std::vector<StageReport>& others) {
  for (const StageReport& other : others) {
    const auto same = std::ranges::find(stages, other.name, &StageReport::name);
    if (same == stages.end()) {
      stages.push_back(other);
    } else {
      same->bytes += other.bytes;
      same->busy_seconds += other.busy_seconds;
    }
  }
}

void add_work(SortReport& report, const SortReport& later) {
  report.verified = report.verified && later.verified;
  report.runs += later.runs;
  report.runs_spilled += later.runs_spilled;
  report.merge_passes += later.merge_passes;
  report.windows += later.windows;
  report.run_bytes += later.run_bytes;
  report.stored_bytes += later.stored_bytes;
  report.scratch_peak_bytes += later.scratch_peak_bytes;
  report.memory_budget_bytes += later.memory_budget_bytes;
  report.merge_seconds += later.merge_seconds;
  add_stages(report.stages, later.stages);
}

}  // namespace

// Sorts what is written to it. The sorted records go to the target when all have come.
class SortChain::SortingOutput final : public Output {
 public:
  // `phase`: the name of the time in which they go there.
  SortingOutput(SortOptions options, RecordForm form, std::unique_ptr<Output> target, const char* phase,
                Observer& observer, std::vector<SortReport>& reports)
      : may_have_header_(options.format.kind == RecordKind::kLines),
        sorter_(std::move(options), form),
        target_(std::move(target)),
        phase_(phase),
        observer_(observer),
        reports_(reports) {}

  void write(std::span<const std::byte> bytes) override {
    sorter_.push(bytes);
    pushed_bytes_ += bytes.size();
  }
  bool waits_for_reader() const override { return target_->waits_for_reader(); }
  void expect(std::uint64_t) override {}
  void write_around_cache() override { target_->write_around_cache(); }

  void finish() override {
    observer_.begin_phase(phase_, pushed_bytes_);
    for (auto records = sorter_.pull(); !records.empty(); records = sorter_.pull()) {
      const auto span = observer_.span("write", records.size());
      target_->write(records);
      observer_.advance(records.size());
    }
    reports_.push_back(sorter_.report());
    if (!may_have_header_ && reports_.back().input_bytes != pushed_bytes_) {
      throw_output_fault("a later sort has taken other records than the one before gave");
    }
    target_->finish();
  }

 private:
  bool may_have_header_;  // which does not count as input
  Sorter sorter_;
  std::unique_ptr<Output> target_;
  const char* phase_;
  Observer& observer_;
  std::vector<SortReport>& reports_;
  std::uint64_t pushed_bytes_ = 0;
};

// Passes the payloads of length-prefixed records on, which are written whole, in frames if these are wanted. The one
// without a key is the header, which comes first, and by itself.
class SortChain::PayloadOutput final : public Output {
 public:
  PayloadOutput(std::unique_ptr<Output> target, bool is_framed, std::uint64_t most_records, Findings& findings)
      : target_(std::move(target)), is_framed_(is_framed), most_records_(most_records), findings_(findings) {}

  void write(std::span<const std::byte> records) override {
    for_each_prefixed_record(records, [&](const std::byte* record, std::uint64_t stored) {
      take(PrefixedParts({record, static_cast<std::size_t>(stored)}));
    });
    pass_on();
  }
  bool waits_for_reader() const override { return target_->waits_for_reader(); }
  void expect(std::uint64_t) override {}
  void write_around_cache() override { target_->write_around_cache(); }
  void finish() override { target_->finish(); }

 private:
  void take(const PrefixedParts& record) {
    const bool is_header = record.key.empty();
    if (!is_header && findings_.output_records == most_records_) return;
    if (!is_header) {
      ++findings_.output_records;
      findings_.output_bytes += record.payload.size();
    }
    if (is_framed_) {
      append_prefixed_record({}, record.payload, text_);
    } else {
      text_.insert(text_.end(), record.payload.begin(), record.payload.end());
    }
    if (is_header || text_.size() >= kPassedOnBytes) pass_on();
  }

  void pass_on() {
    if (!text_.empty()) target_->write(text_);
    text_.clear();
  }

  std::unique_ptr<Output> target_;
  bool is_framed_;
  std::uint64_t most_records_;
  Findings& findings_;
  std::vector<std::byte> text_;
};

SortChain::SortChain(const SortOptions& options, RecordForm form)
    : options_(options), form_(form), first_(first_of_chain(options)) {}

void SortChain::lead(SortJob& job) {
  if (chain_length(options_) == 1) return job.write_as(form_);
  job.write_through(form_of_first(options_),
                    [this](std::unique_ptr<Output> target, const ResolvedOptions& resolved, Observer& observer) {
                      return lead_to(std::move(target), resolved, observer);
                    });
}

std::unique_ptr<Output> SortChain::lead_to(std::unique_ptr<Output> target, const ResolvedOptions& resolved,
                                           Observer& observer) {
  SortOptions options = options_;
  options.warn = resolved.options.warn;  // the job's, which clears the progress line first
  const std::uint64_t memory_bytes = resolved.memory_bytes;
  std::uint64_t most_records = std::numeric_limits<std::uint64_t>::max();
  bool is_framed = form_ == RecordForm::kFramed;
  if (has_third_sort(options)) {
    target = std::make_unique<SortingOutput>(third_of_chain(options, resolved.threads, memory_bytes), form_,
                                             std::move(target), "sorting the sample", observer, findings_.later);
    is_framed = false;
  } else if (options.top_records != 0) {
    most_records = options.top_records;
  }
  target = std::make_unique<PayloadOutput>(std::move(target), is_framed, most_records, findings_);
  return std::make_unique<SortingOutput>(second_of_chain(options, resolved.threads, memory_bytes), RecordForm::kPlain,
                                         std::move(target), "restoring order", observer, findings_.later);
}

SortReport SortChain::report_of_all(SortReport first) const {
  if (findings_.later.empty()) return first;
  SortReport report = std::move(first);
  for (const SortReport& later : findings_.later) add_work(report, later);
  if (has_third_sort(options_)) {
    const SortReport& third = findings_.later.back();
    report.output_records = third.output_records;
    report.output_bytes = third.output_bytes;
    report.engine = third.engine;
    report.engine_reason = third.engine_reason;
    report.device_failure = third.device_failure;
    report.device_budget_bytes = third.device_budget_bytes;
    report.devices = third.devices;
  } else if (options_.top_records != 0) {
    report.output_records = findings_.output_records;
    report.output_bytes = findings_.output_bytes;
  }
  return report;
}

}  // namespace sortie
