#include "pipeline/sort_chain.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/thread_team.hpp"
#include "io/output/passing_output.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/observed_sort.hpp"
#include "pipeline/pushed_sort.hpp"
#include "pipeline/setup/chain_shape.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

/// Payloads that are collected before they are passed on.
constexpr std::size_t kPassedOnBytes = 1 << 20;

constexpr SortChain::LaterSort kSortByPlace{"by place", "restoring order"};
constexpr SortChain::LaterSort kSortOfSample{"the sample", "sorting the sample"};

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

// Sorts what is written to it. The sorted records go to the target when all have come.
class SortChain::SortingOutput final : public PassingOutput {
 public:
  /// `inputs`: how many there may be, one more than calls of begin_input().
  SortingOutput(SortOptions options, RecordForm form, LaterSort names, std::size_t inputs,
                std::unique_ptr<Output> target, Observer& observer, std::vector<SortReport>& reports)
      : PassingOutput(std::move(target)),
        may_have_header_(options.format.kind == RecordKind::kLines),
        inputs_(inputs),
        form_(form),
        names_(names),
        observer_(observer),
        reports_(reports),
        sort_(std::move(options), [this](const SortOptions& with_streams) { return run(with_streams); }) {}

  void write(std::span<const std::byte> bytes) override {
    const auto span = observer_.span("pass records on", bytes.size());
    sort_.push(bytes);
    pushed_bytes_ += bytes.size();
  }
  void expect(std::uint64_t) override {}
  /// What is written from now on is another input.
  void begin_input() { sort_.begin_input(); }

  void finish() override {
    observer_.begin_phase(names_.phase, pushed_bytes_);
    for (auto records = pull(); !records.empty(); records = pull()) {
      target().write(records);
      observer_.advance(records.size());
    }
    reports_.push_back(sort_.report());
    if (!may_have_header_ && reports_.back().input_bytes != pushed_bytes_) {
      throw_output_fault("a later sort has taken other records than the one before gave");
    }
    target().finish();
  }

 private:
  std::span<const std::byte> pull() {
    const auto span = observer_.span("wait for records");
    return sort_.pull();
  }

  // Called on the thread of the later sort.
  SortReport run(SortOptions options) {
    Observer observer(observer_, names_.sort);
    observer.expect_records_of_sort();
    observer.assumptions().leave_places_out();
    options.source = [&, give = std::move(options.source)](std::span<std::byte> target) {
      const auto span = observer.span("wait for records");
      return give(target);
    };
    options.sink = [&, take = std::move(options.sink)](std::span<const std::byte> records) {
      const auto span = observer.span("pass records on", records.size());
      take(records);
    };
    return observed_sort(options, form_, &observer, inputs_);
  }

  bool may_have_header_;  // which does not count as input
  std::size_t inputs_;
  RecordForm form_;
  LaterSort names_;
  Observer& observer_;
  std::vector<SortReport>& reports_;
  std::uint64_t pushed_bytes_ = 0;
  PushedSort sort_;
};

// What is written to the output that the options name.
class SortChain::LastOutput final : public PassingOutput {
 public:
  LastOutput(std::unique_ptr<Output> target, Observer& observer)
      : PassingOutput(std::move(target)), observer_(observer) {}

  void write(std::span<const std::byte> bytes) override {
    const auto span = observer_.span("write", bytes.size());
    target().write(bytes);
  }
  void finish() override {
    observer_.end_watch();
    throw_if_stopped();
    PassingOutput::finish();
  }

 private:
  Observer& observer_;
};

// Passes the payloads of length-prefixed records on, which are written whole, in frames if these are wanted. The one
// without a key is the header, which comes first, and by itself. An entry that begins with no line of its own, as the
// first of an input may, begins another input of the next sort, which would take it to the entry in front of it.
class SortChain::PayloadOutput final : public PassingOutput {
 public:
  /// `next`: the next sort, which is the target, if entries begin as `start` tells; else null.
  PayloadOutput(std::unique_ptr<Output> target, RecordStart start, SortingOutput* next, bool is_framed,
                std::uint64_t most_records, Observer& observer, Findings& findings)
      : PassingOutput(std::move(target)),
        start_(std::move(start)),
        next_(next),
        is_framed_(is_framed),
        most_records_(most_records),
        observer_(observer),
        findings_(findings) {}

  void write(std::span<const std::byte> records) override {
    const auto span = observer_.span("cut keys off", records.size());
    for_each_prefixed_record(records, [&](const std::byte* record, std::uint64_t stored) {
      take(PrefixedParts({record, static_cast<std::size_t>(stored)}));
    });
    pass_on();
  }
  void expect(std::uint64_t) override {}

 private:
  void take(const PrefixedParts& record) {
    const bool is_header = record.key.empty();
    if (next_ != nullptr) begin_input_if_needed(record.payload, is_header);
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

  void begin_input_if_needed(std::span<const std::byte> payload, bool is_header) {
    if (is_header) {
      header_.assign(payload.begin(), payload.end());
      return;
    }
    const std::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
    if (std::exchange(has_records_, true) && !start_.matches(text.substr(0, text.find('\n')))) {
      pass_on();
      next_->begin_input();
      text_ = header_;
    }
  }

  void pass_on() {
    if (!text_.empty()) target().write(text_);
    text_.clear();
  }

  RecordStart start_;
  SortingOutput* next_;
  bool is_framed_;
  std::uint64_t most_records_;
  Observer& observer_;
  Findings& findings_;
  bool has_records_ = false;
  std::vector<std::byte> header_;
  std::vector<std::byte> text_;
};

SortChain::SortChain(const SortOptions& options, RecordForm form) : options_(options), form_(form) {}

SortOptions SortChain::first() const { return first_of_chain(options_); }

void SortChain::lead(SortJob& job) {
  if (chain_length(options_) == 1) return job.write_as(form_);
  job.write_through(form_of_first(options_),
                    [this](std::unique_ptr<Output> target, const ResolvedOptions& resolved, Observer& observer) {
                      return lead_to(std::move(target), resolved, observer);
                    });
}

std::unique_ptr<Output> SortChain::lead_to(std::unique_ptr<Output> target, const ResolvedOptions& resolved,
                                           Observer& observer) {
  const SortOptions& options = options_;
  const std::uint64_t memory_bytes = resolved.memory_bytes;
  std::uint64_t most_records = std::numeric_limits<std::uint64_t>::max();
  bool is_framed = form_ == RecordForm::kFramed;
  target = std::make_unique<LastOutput>(std::move(target), observer);
  const RecordStart& start = options.format.text.record_start;
  SortingOutput* sort_of_entries = nullptr;
  if (has_third_sort(options)) {
    const std::size_t inputs = start ? std::max<std::size_t>(options.inputs.size(), 1) : 1;
    auto third = std::make_unique<SortingOutput>(third_of_chain(options, resolved.threads, memory_bytes), form_,
                                                 kSortOfSample, inputs, std::move(target), observer, findings_.later);
    if (start) sort_of_entries = third.get();
    target = std::move(third);
    is_framed = false;
  } else if (options.top_records != 0) {
    most_records = options.top_records;
  }
  target = std::make_unique<PayloadOutput>(std::move(target), start, sort_of_entries, is_framed, most_records, observer,
                                           findings_);
  return std::make_unique<SortingOutput>(second_of_chain(options, resolved.threads, memory_bytes), RecordForm::kPlain,
                                         kSortByPlace, 1, std::move(target), observer, findings_.later);
}

SortReport SortChain::report_of_all(SortReport first) const {
  if (findings_.later.empty()) return first;
  SortReport report = std::move(first);
  for (const SortReport& later : findings_.later) add_counts(report, later);
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
