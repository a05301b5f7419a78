#include "pipeline/input/record_reader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/bytes.hpp"
#include "record/csv/quoted_records.hpp"

namespace sortie {
namespace {

/// What is carried over is mostly shorter than a line. If a long line made the buffer larger than this, its memory is
/// given back.
constexpr std::size_t kUsualCarryBytes = 1 << 20;

/// Larger inputs are not mapped: reading over one might take longer than the 45 seconds after which the system takes a
/// lease away, once somebody has asked to write.
constexpr std::uint64_t kMostMappedBytes = std::uint64_t{16} << 30;
constexpr std::size_t kSampleBytes = 256 << 10;

}  // namespace

RecordReader::RecordReader(InputOpener& opener, const std::vector<std::string>& paths, const Format& format,
                           bool checksum, Observer& observer, Waiting waiting)
    : format_(format),
      layout_(layout_of(format)),
      checksum_(checksum),
      piece_totals_(format, checksum),
      observer_(observer),
      inputs_(opener, paths, format, waiting, observer),
      ahead_(format, checksum) {}

std::optional<std::uint64_t> RecordReader::total_bytes() const {
  if (const auto bytes = inputs_.size()) return bytes;
  if (!inputs_.has_ended() || !carry_.empty()) return std::nullopt;
  return totals_.bytes + ahead_.bytes();
}

bool RecordReader::at_end() const {
  return (!mapped_ || mapped_->at_end()) && carry_.empty() && ahead_.empty() && inputs_.at_end();
}

std::string RecordReader::position() const {
  if (mapped_) return inputs_.position_in_only(mapped_->taken_bytes());
  return ahead_.empty() ? inputs_.position(carry_.size()) : ahead_.position();
}

Input::SliceSink RecordReader::slice_counter() {
  return [this](std::span<const std::byte> slice) {
    const auto span = observer_.span("checksum input");  // count_piece() counts the bytes
    piece_totals_.add(slice);
  };
}

// Reads on through the inputs until the target is full or they end. Returns how much it holds.
std::size_t RecordReader::fill(std::span<std::byte> target) {
  const std::size_t from_carry = std::min(target.size(), carry_.size());
  std::copy_n(carry_.begin(), from_carry, target.begin());
  carry_.erase(carry_.begin(), carry_.begin() + static_cast<std::ptrdiff_t>(from_carry));
  if (carry_.empty() && carry_.capacity() > kUsualCarryBytes) carry_ = {};
  piece_totals_.start(target.data());
  return inputs_.read(target, from_carry, slice_counter());
}

// Sets `whole` to the length of the whole records of `piece`, at most `max_records` of them, and returns their totals.
RecordTotals RecordReader::count_piece(std::span<const std::byte> piece, std::size_t& whole,
                                       std::uint64_t max_records) {
  auto span = observer_.span("checksum input");
  RecordTotals totals;
  if (layout_.quoted) {
    const QuotedRanges records = find_quoted_records(piece, layout_.separator);
    whole = records.whole_bytes();
    totals = totals_of_ranges(format_, records.ranges, checksum_);
  } else {
    whole = whole_records(layout_, piece);
    totals = piece_totals_.finish(whole);
  }
  if (totals.records > max_records) {
    whole = first_records(layout_, piece.first(whole), max_records);
    totals = totals_of(format_, piece.first(whole), checksum_);
  }
  span.set_bytes(whole);
  return totals;
}

RecordReader::Read RecordReader::read_records(std::span<std::byte> target, std::uint64_t max_records) {
  const std::size_t filled = fill(target);
  if (filled == 0 && carry_.empty()) {
    return {{inputs_.has_ended() ? Status::kEnd : Status::kTooSmall}, {}};
  }
  std::size_t whole = 0;
  const RecordTotals totals = count_piece(target.first(filled), whole, max_records);
  carry_.insert(carry_.begin(), target.begin() + static_cast<std::ptrdiff_t>(whole),
                target.begin() + static_cast<std::ptrdiff_t>(filled));
  if (whole == 0) return {{Status::kTooSmall, known_bytes(filled)}, {}};
  return {{Status::kRecords, whole, totals.records, whole}, totals};
}

// Known length of the record for which `filled` bytes were not enough. It is at the front of the carried-over bytes.
std::size_t RecordReader::known_bytes(std::size_t filled) const {
  if (!layout_.delimited() || layout_.quoted) return filled;
  const auto delimiter =
      std::find(carry_.begin() + static_cast<std::ptrdiff_t>(filled), carry_.end(), std::byte(layout_.delimiter));
  return static_cast<std::size_t>(delimiter - carry_.begin());
}

bool RecordReader::read_ahead(std::size_t piece_bytes) {
  MemoryRegion memory(piece_bytes);
  std::string begin = inputs_.position(carry_.size());
  const Read read = read_records(memory.bytes(), std::numeric_limits<std::uint64_t>::max());
  if (read.piece.status != Status::kRecords) return false;
  ahead_.keep(std::move(memory), read.totals, std::move(begin));
  return true;
}

RecordReader::Read RecordReader::take_ahead(std::span<std::byte> target, std::uint64_t max_records) {
  const auto span = observer_.span("take read-ahead");  // the bytes were counted when they were read
  const std::size_t there = static_cast<std::size_t>(std::min<std::uint64_t>(target.size(), ahead_.bytes()));
  const RecordTotals totals = ahead_.take(target, max_records);
  observer_.advance(totals.bytes);
  if (totals.records == 0) return {{Status::kTooSmall, there}, {}};
  return {{Status::kRecords, static_cast<std::size_t>(totals.bytes), totals.records, totals.bytes}, totals};
}

std::vector<std::byte> RecordReader::sample(std::size_t most_bytes) const {
  if (mapped_) return mapped_->sample(most_bytes);
  std::vector<std::byte> bytes;
  if (!ahead_.empty()) {
    const auto waiting = ahead_.first_piece();
    bytes.assign(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(std::min(waiting.size(), most_bytes)));
  } else if (carry_.empty()) {
    // A vector is cleared, which takes longer than to sort a small file. Files of the system say that they are empty.
    const std::uint64_t there = inputs_.size_of_only().value_or(0);
    bytes.resize(there > 0 ? std::min<std::uint64_t>(most_bytes, there) : most_bytes);
    bytes.resize(inputs_.peek(bytes));
  }
  bytes.resize(whole_records(layout_, bytes));
  return bytes;
}

RecordTotals RecordReader::totals_of_records(std::span<const std::byte> records) const {
  if (!layout_.quoted) return totals_of(format_, records, checksum_);
  return totals_of_ranges(format_, find_quoted_records(records, layout_.separator).ranges, checksum_);
}

void RecordReader::go_on_at(const InputMark& mark) {
  inputs_.go_on_at(mark);
  totals_ = mark.totals;
}

RecordReader::Piece RecordReader::read(std::span<std::byte> target, std::uint64_t max_records) {
  const Read read = ahead_.empty() ? read_records(target, max_records) : take_ahead(target, max_records);
  totals_ += read.totals;
  return read.piece;
}

// The size of the input if mapping it is worth trying.
std::optional<std::uint64_t> RecordReader::mappable_bytes() const {
  if (!least_mapped_bytes_ || !carry_.empty() || !ahead_.empty()) return std::nullopt;
  const auto bytes = inputs_.size_of_only();
  const std::uint64_t least = std::max<std::uint64_t>(*least_mapped_bytes_, 1);
  return bytes && *bytes >= least && *bytes <= kMostMappedBytes ? bytes : std::nullopt;
}

PieceSource::WholeInput RecordReader::whole_input() const {
  const auto bytes = mappable_bytes();
  if (!bytes) return {};
  // A line longer than the sample counts as one record of the sample's length. Lines elsewhere may be shorter by a
  // third.
  const std::vector<std::byte> records = sample(kSampleBytes);
  const std::uint64_t sampled = records.empty() ? 1 : count_records(layout_, records);
  const std::uint64_t sampled_bytes = records.empty() ? kSampleBytes : records.size();
  return {*bytes + kPageBytes, sampled * (*bytes / sampled_bytes + 1) * 3 / 2};
}

RecordReader::Piece RecordReader::read_whole(std::span<std::byte> target, std::uint64_t max_records) {
  piece_totals_.start(target.data());
  auto span = observer_.span("read");
  InputSequence::Mapped mapped = inputs_.map_only(target, slice_counter());
  if (!mapped.mapping) return {Status::kTooSmall};
  const std::uint64_t bytes = *inputs_.size();
  span.set_bytes(bytes);
  const std::size_t whole = whole_records(layout_, target.first(mapped.bytes));
  const RecordTotals totals = piece_totals_.finish(whole);
  if (totals.records > max_records) {
    mapped.mapping->discard();
    inputs_.rewind();
    return {Status::kTooSmall};
  }
  whole_ = std::move(mapped.mapping);
  observer_.advance(bytes);
  totals_ += totals;
  return {Status::kRecords, whole, totals.records, whole};
}

std::span<const std::byte> RecordReader::map_lines() {
  const auto bytes = mappable_bytes();
  if (!bytes) return {};
  const auto span = observer_.span("read", *bytes);
  mapped_ = MappedLines::make(inputs_, layout_);
  return mapped_lines();
}

void RecordReader::unmap() {
  mapped_->discard();
  mapped_.reset();
  inputs_.rewind();
}

std::span<const std::byte> RecordReader::next_mapped(std::size_t bytes) {
  const std::span<const std::byte> lines = mapped_->take(bytes);
  const auto span = observer_.span("checksum input", lines.size());
  totals_ += totals_of(format_, lines, checksum_);
  observer_.advance(lines.size());
  return lines;
}

void RecordReader::finish_whole() {
  if (whole_) whole_->check();
  whole_.reset();
}

void RecordReader::check() {
  if (whole_) whole_->check();
  if (mapped_) mapped_->check();
}

}  // namespace sortie
