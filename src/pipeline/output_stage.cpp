#include "pipeline/output_stage.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "pipeline/output_fault.hpp"

namespace sortie {
namespace {

/// A smaller part is checked and written sooner than another thread wakes up.
constexpr std::size_t kLeastSharedBytes = 256 << 10;

/// While one slice of a decorated part is written, the next one is cleaned by all threads.
constexpr std::size_t kSlices = 4;
constexpr std::size_t kLeastSliceBytes = 2 << 20;
constexpr std::size_t kMostSliceBytes = 32 << 20;

}  // namespace

OutputStage::OutputStage(const Format& format, const RecordOrder& order, Output& output, Options options,
                         Observer& observer, const LineDecorator* decorator)
    : format_(format),
      order_(order),
      output_(output),
      options_(options),
      observer_(observer),
      filter_(format, order, options.verify),
      part_check_(format, order, options.unique) {
  if (decorator != nullptr) {
    cleaner_.emplace(*decorator, order, PartCleaner::Options{options.unique, options.verify});
  }
}

void OutputStage::accept(std::span<std::byte> part) {
  if (cleaner_) return accept_decorated(part);
  if (options_.unique) {
    const auto span = observer_.span("drop duplicates", part.size());
    part = filter_.apply(part);
  }
  if (part.empty()) return;
  if (part.size() >= kLeastSharedBytes) {
    write_while_checking(part);
    return;
  }
  written_ += check(part);
  const auto span = observer_.span("write", part.size());
  output_.write(part);
}

void OutputStage::accept_decorated(std::span<std::byte> part) {
  if (part.empty()) return;
  if (part.size() >= kLeastSharedBytes) {
    write_while_cleaning(part);
    return;
  }
  part = clean(part);
  if (part.empty()) return;
  const auto span = observer_.span("write", part.size());
  output_.write(part);
}

void OutputStage::write_while_cleaning(std::span<std::byte> part) {
  std::exception_ptr failure;
  bool is_writing = false;
  const auto wait = [&] {
    if (std::exchange(is_writing, false)) writer().wait();
  };
  const std::size_t slice_bytes = std::clamp(part.size() / kSlices, kLeastSliceBytes, kMostSliceBytes);
  try {
    while (!part.empty()) {
      const std::size_t bytes = boundary_at_or_after(order_.layout(), part, std::min(part.size(), slice_bytes));
      const std::span<const std::byte> lines = clean(part.first(bytes));
      part = part.subspan(bytes);
      wait();
      if (lines.empty()) continue;
      writer().begin(lines);
      is_writing = true;
    }
  } catch (...) {
    failure = std::current_exception();
  }
  wait();  // whatever was found: the part is the caller's again after this
  if (failure) std::rethrow_exception(failure);
}

void OutputStage::write_while_checking(std::span<const std::byte> part) {
  writer().begin(part);
  std::exception_ptr failure;
  try {
    written_ += check(part);
  } catch (...) {
    failure = std::current_exception();
  }
  writer().wait();  // whatever the check found: the part is the caller's again after this
  if (failure) std::rethrow_exception(failure);
}

PartWriter& OutputStage::writer() { return writer_ ? *writer_ : writer_.emplace(output_, observer_); }

std::span<std::byte> OutputStage::clean(std::span<std::byte> part) {
  const auto span = observer_.span("cut keys off", part.size());
  return cleaner_->clean(part);
}

RecordTotals OutputStage::check(std::span<const std::byte> part) {
  const auto span = observer_.span("check output", part.size());
  return options_.verify ? part_check_.examine(part) : totals_of(format_, part, false);
}

void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped) {
  const RecordTotals expected = input - dropped;
  if (output == expected) return;
  throw_output_fault(std::to_string(input.records) + " records went in, " + std::to_string(output.records) +
                     " came out (" + std::to_string(dropped.records) + " duplicates dropped), checksums " +
                     to_string(expected.checksum) + " and " + to_string(output.checksum));
}

}  // namespace sortie
