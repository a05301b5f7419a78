// Outputs that get length-prefixed records, whole ones, where several processes sort records twice: one counts what is
// passed on to the second sort, the other cuts off what that sorted by. Used by merges of slices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/record_start.hpp>

#include "io/output/passing_output.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/record_totals.hpp"

namespace sortie {

/// Keeps the totals of all records, as whoever reads them will count them.
class TalliedOutput final : public PassingOutput {
 public:
  /// `totals` must outlive this. `checksum`: they have one.
  TalliedOutput(std::unique_ptr<Output> target, RecordTotals& totals, bool checksum)
      : PassingOutput(std::move(target)), totals_(totals), checksum_(checksum) {
    format_.kind = RecordKind::kPrefixed;
  }

  void write(std::span<const std::byte> records) override {
    totals_ += range_totals(format_, records, checksum_);
    target().write(records);
  }

 private:
  RecordTotals& totals_;
  Format format_;
  bool checksum_;
};

/// Keeps where entries begin, in bytes of payloads, that begin with no line of their own: the first one of an input
/// may.
class EntryBegins {
 public:
  /// `start`: see SlicePlan::entry_start; without one nothing is kept. Both must outlive this.
  EntryBegins(const RecordStart& start, std::vector<std::uint64_t>& begins) : start_(start), begins_(begins) {}

  void pass(std::span<const std::byte> payload) {
    if (!start_) return;
    const std::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
    if (!start_.matches(text.substr(0, text.find('\n')))) begins_.push_back(passed_bytes_);
    passed_bytes_ += payload.size();
  }

 private:
  const RecordStart& start_;
  std::vector<std::uint64_t>& begins_;
  std::uint64_t passed_bytes_ = 0;
};

/// Writes the payloads of records.
class PayloadOutput final : public PassingOutput {
 public:
  /// `in_frames`: as RecordForm::kFramed.
  PayloadOutput(std::unique_ptr<Output> target, EntryBegins begins, bool in_frames = false)
      : PassingOutput(std::move(target)), begins_(begins), in_frames_(in_frames) {}

  void write(std::span<const std::byte> records) override {
    for_each_prefixed_record(records, [&](const std::byte* record, std::uint64_t stored) {
      const PrefixedParts parts({record, static_cast<std::size_t>(stored)});
      begins_.pass(parts.payload);
      if (in_frames_) {
        append_prefixed_record({}, parts.payload, payloads_);
      } else if (parts.payload.size() >= kCollectedBytes) {
        pass_on();
        target().write(parts.payload);
      } else {
        payloads_.insert(payloads_.end(), parts.payload.begin(), parts.payload.end());
      }
      if (payloads_.size() >= kCollectedBytes) pass_on();
    });
    pass_on();
  }

 private:
  static constexpr std::size_t kCollectedBytes = 1 << 20;

  void pass_on() {
    if (!payloads_.empty()) target().write(payloads_);
    payloads_.clear();
  }

  EntryBegins begins_;
  bool in_frames_;
  std::vector<std::byte> payloads_;
};

}  // namespace sortie
