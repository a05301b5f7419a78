// Outputs that get length-prefixed records, whole ones, where several processes sort records twice: one counts what is
// passed on to the second sort, the other cuts off what that sorted by. Used by merges of slices.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

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

/// Writes the payloads of records.
class PayloadOutput final : public PassingOutput {
 public:
  /// `in_frames`: as RecordForm::kFramed.
  explicit PayloadOutput(std::unique_ptr<Output> target, bool in_frames = false)
      : PassingOutput(std::move(target)), in_frames_(in_frames) {}

  void write(std::span<const std::byte> records) override {
    for_each_prefixed_record(records, [&](const std::byte* record, std::uint64_t stored) {
      const PrefixedParts parts({record, static_cast<std::size_t>(stored)});
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

  bool in_frames_;
  std::vector<std::byte> payloads_;
};

}  // namespace sortie
