#include "pipeline/output/output_stage.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "pipeline/output/output_fault.hpp"

namespace sortie {
namespace {

/// A smaller part is checked and written before another thread would wake up.
constexpr std::size_t kLeastSharedBytes = 256 << 10;

/// While one slice of a decorated part is written, the next one is cleaned by all threads.
constexpr std::size_t kSlices = 4;
constexpr std::size_t kLeastSliceBytes = 2 << 20;
constexpr std::size_t kMostSliceBytes = 32 << 20;

std::size_t slice_bytes_of(std::span<const std::byte> part) {
  return std::clamp(part.size() / kSlices, kLeastSliceBytes, kMostSliceBytes);
}

KeyGroups::Options group_options(const OutputStage::Options& options) {
  KeyGroups::Options groups{options.show_count, options.keep_last, options.verify};
  if (options.most_records != 0) groups.most_groups = options.most_records;
  return groups;
}

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
  if (decorator != nullptr && decorator->collates()) settle_ties(*decorator);
  if (options.show_count || options.keep_last) {
    groups_.emplace(order, decorator, group_options(options));
    return;
  }
  if (decorator != nullptr && decorator->refers()) {
    fetcher_.emplace(*decorator, order, options.unique, options.verify);
    return;
  }
  if (decorator != nullptr) {
    cleaner_.emplace(*decorator, order, PartCleaner::Options{options.unique, options.verify});
  }
  if (options.most_records != 0) {
    limit_.emplace(decorator != nullptr ? decorator->line_format() : format, options.most_records, options.verify);
  }
}

RecordTotals OutputStage::written() const {
  if (groups_) return groups_->kept();
  if (fetcher_) return fetcher_->kept();
  if (!cleaner_) return written_;
  return limit_ ? cleaner_->kept() - limit_->dropped() : cleaner_->kept();
}

RecordTotals OutputStage::dropped() const {
  if (groups_) return groups_->dropped();
  if (fetcher_) return fetcher_->dropped();
  RecordTotals totals = cleaner_ ? cleaner_->dropped() : filter_.dropped();
  return limit_ ? totals += limit_->dropped() : totals;
}

bool OutputStage::is_full() const {
  if (groups_) return groups_->is_full();
  return limit_ && limit_->is_full();
}

void OutputStage::settle_ties(const LineDecorator& decorator) {
  if (options_.ties_in_order) {
    ranks_.emplace(decorator);
  } else {
    ties_.emplace(decorator, static_cast<std::size_t>(options_.tie_bytes), *options_.scratch);
  }
}

void OutputStage::accept(std::span<std::byte> part) {
  write_header();
  if (ranks_) ranks_->fill_in(part);
  if (!ties_) return accept_in_order(part);
  ties_->accept(part, [this](std::span<std::byte> lines) { accept_in_order(lines); });
}

void OutputStage::accept_in_order(std::span<std::byte> part) {
  if (groups_) return accept_groups(part);
  if (fetcher_) return accept_references(part);
  if (cleaner_) return accept_decorated(part);
  if (options_.unique) {
    const auto span = observer_.span("drop duplicates", part.size());
    part = filter_.apply(part);
  }
  if (limit_) part = limit_->apply(part);
  if (part.empty()) return;
  if (part.size() >= kLeastSharedBytes) {
    write_while_checking(part);
    return;
  }
  written_ += check(part);
  write(part);
}

void OutputStage::write_header() {
  if (options_.header.empty() || std::exchange(has_header_, true)) return;
  output_.write(options_.header);
}

void OutputStage::accept_decorated(std::span<std::byte> part) {
  if (part.empty()) return;
  if (part.size() >= kLeastSharedBytes) {
    write_while_cleaning(part);
    return;
  }
  part = clean(part);
  if (!part.empty()) write(part);
}

void OutputStage::accept_groups(std::span<const std::byte> part) {
  const std::size_t slice_bytes = slice_bytes_of(part);
  while (!part.empty()) {
    const std::size_t bytes = boundary_at_or_after(order_.layout(), part, std::min(part.size(), slice_bytes));
    const auto span = observer_.span("drop duplicates", bytes);
    groups_->add(
        part.first(bytes), [this](std::span<const std::byte> text) { write(text); }, checks_order_);
    part = part.subspan(bytes);
  }
}

// Fetched lines are written while more are fetched, of this part or the next one.
void OutputStage::accept_references(std::span<const std::byte> part) {
  const auto span = observer_.span("fetch lines", part.size());
  fetcher_->fetch(part, [this](std::span<const std::byte> lines) { begin_writing(lines); });
}

void OutputStage::finish() {
  write_header();
  if (ties_) ties_->finish([this](std::span<std::byte> lines) { accept_in_order(lines); });
  if (fetcher_) {
    fetcher_->finish([this](std::span<const std::byte> lines) { begin_writing(lines); });
    wait_for_writer();
  }
  if (groups_) groups_->finish([this](std::span<const std::byte> text) { write(text); });
}

void OutputStage::write(std::span<const std::byte> part) {
  const auto span = observer_.span("write", part.size());
  output_.write(part);
}

// Waits until the lines begun before are written. `lines` must stay unchanged until wait_for_writer().
void OutputStage::begin_writing(std::span<const std::byte> lines) {
  wait_for_writer();
  writer().begin(lines);
  is_writing_ = true;
}

void OutputStage::wait_for_writer() {
  if (std::exchange(is_writing_, false)) writer().wait();
}

void OutputStage::write_while_cleaning(std::span<std::byte> part) {
  std::exception_ptr failure;
  const std::size_t slice_bytes = slice_bytes_of(part);
  try {
    while (!part.empty()) {
      const std::size_t bytes = boundary_at_or_after(order_.layout(), part, std::min(part.size(), slice_bytes));
      const std::span<const std::byte> lines = clean(part.first(bytes));
      part = part.subspan(bytes);
      if (lines.empty()) continue;
      begin_writing(lines);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  wait_for_writer();  // even after a failure: the caller may change the part after this
  if (failure) std::rethrow_exception(failure);
}

void OutputStage::write_while_checking(std::span<const std::byte> part) {
  begin_writing(part);
  std::exception_ptr failure;
  try {
    written_ += check(part);
  } catch (...) {
    failure = std::current_exception();
  }
  wait_for_writer();  // even after a failure: the caller may change the part after this
  if (failure) std::rethrow_exception(failure);
}

PartWriter& OutputStage::writer() { return writer_ ? *writer_ : writer_.emplace(output_, observer_); }

std::span<std::byte> OutputStage::clean(std::span<std::byte> part) {
  const auto span = observer_.span("cut keys off", part.size());
  const std::span<std::byte> lines = cleaner_->clean(part, checks_order_);
  return limit_ ? limit_->apply(lines) : lines;
}

RecordTotals OutputStage::check(std::span<const std::byte> part) {
  const auto span = observer_.span("check output", part.size());
  return options_.verify ? part_check_.examine(part, checks_order_) : totals_of(format_, part, false);
}

void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped) {
  const RecordTotals expected = input - dropped;
  if (output == expected) return;
  throw_output_fault(std::to_string(input.records) + " records went in, " + std::to_string(output.records) +
                     " came out (" + std::to_string(dropped.records) + " dropped), checksums " +
                     to_string(expected.checksum) + " and " + to_string(output.checksum));
}

}  // namespace sortie
