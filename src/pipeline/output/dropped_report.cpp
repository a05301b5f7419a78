#include "pipeline/output/dropped_report.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {
namespace {

constexpr std::string_view kHeader = "file\trecord\tkept_file\tkept_record\n";
/// Members of a group that wait in memory.
constexpr std::size_t kMostOpen = 64 << 10;
constexpr std::size_t kTextBytes = 256 << 10;

/// A name as a field of TSV: backslashes stand in front of what would end it.
std::string as_field(const std::string& name) {
  std::string field;
  for (const char byte : name) {
    const char* const escaped = byte == '\t'   ? "\\t"
                                : byte == '\n' ? "\\n"
                                : byte == '\r' ? "\\r"
                                : byte == '\\' ? "\\\\"
                                               : nullptr;
    escaped != nullptr ? void(field.append(escaped)) : field.push_back(byte);
  }
  return field;
}

}  // namespace

DroppedReport::DroppedReport(std::unique_ptr<Output> output, const std::vector<std::string>& inputs,
                             std::uint64_t header_records, SourcePlaces places, ScratchSpace& scratch)
    : output_(std::move(output)),
      header_records_(header_records),
      positions_(inputs.size()),
      source_places_(std::move(places)),
      scratch_(scratch),
      text_(kHeader) {
  for (const std::string& input : inputs) names_.push_back(as_field(input));
}

void DroppedReport::add_members(std::span<const std::uint64_t> places) {
  open_.insert(open_.end(), places.begin(), places.end());
  if (open_.size() >= kMostOpen) spill();
}

void DroppedReport::spill() {
  if (!file_) file_ = scratch_.create();
  file_->write_at(stored_ * sizeof(std::uint64_t), std::as_bytes(std::span(open_)));
  stored_ += open_.size();
  open_.clear();
}

void DroppedReport::close_group(std::uint64_t kept) {
  std::vector<std::uint64_t> piece;
  for (std::uint64_t at = 0; at < stored_; at += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kMostOpen, stored_ - at)));
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(piece));
    if (file_->read_at(at * sizeof(std::uint64_t), bytes) != bytes.size()) {
      throw Error("a scratch file has lost its end");
    }
    add_group(piece, kept);
  }
  add_group(open_, kept);
  stored_ = 0;
  open_.clear();
}

void DroppedReport::add_group(std::span<const std::uint64_t> places, std::uint64_t kept) {
  for (const std::uint64_t place : places) {
    if (place != kept) add_row(place, kept);
  }
}

void DroppedReport::add_row(std::uint64_t dropped, std::uint64_t kept) {
  append_place(dropped);
  text_ += '\t';
  append_place(kept);
  text_ += '\n';
  if (text_.size() < kTextBytes) return;
  output_->write(std::as_bytes(std::span(text_)));
  text_.clear();
}

void DroppedReport::append_place(std::uint64_t place) {
  const std::uint64_t input = positions_.input_of(place);
  const std::uint64_t number = place - positions_.first_of(input);
  if (source_places_) {
    const SourcePlace told = source_places_(number);
    return append_fields(as_field(told.file), told.number);
  }
  append_fields(names_[static_cast<std::size_t>(input)], number + header_records_ + 1);
}

void DroppedReport::append_fields(std::string_view file, std::uint64_t number) {
  char digits[24];
  const char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text_.append(file).append("\t").append(digits, static_cast<std::size_t>(end - digits));
}

void DroppedReport::finish() {
  output_->write(std::as_bytes(std::span(text_)));
  output_->finish();
}

}  // namespace sortie
