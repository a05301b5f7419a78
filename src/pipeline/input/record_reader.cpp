#include "pipeline/input/record_reader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/memory_region.hpp"
#include "base/parallel.hpp"
#include "base/release_memory.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// What is carried over is mostly shorter than a line. If a long line made the buffer larger than this, its memory is
/// given back when little is left in it.
constexpr std::size_t kUsualCarryBytes = 256 << 10;
constexpr std::size_t kLittleShare = 4;
constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

/// An input whose size is not known may go on for as long as it has come. Memory for so much is touched ahead, but not
/// for less than this.
constexpr std::uint64_t kLeastForTouching = 64 << 20;

}  // namespace

void ReadAhead::keep(MemoryRegion memory, const RecordTotals& totals, std::string position) {
  bytes_ += totals.bytes;
  memory_bytes_ += memory.size();
  pieces_.push_back({std::move(memory), 0, totals, std::move(position)});
}

// Pieces are as long as those of the engines, so a whole piece nearly always fits and need not be counted again.
RecordTotals ReadAhead::totals_of_fitting(const Piece& piece, std::size_t room, std::uint64_t max_records) const {
  if (piece.totals.bytes <= room && piece.totals.records <= max_records) return piece.totals;
  const auto rest = piece.memory.bytes().subspan(piece.begin, static_cast<std::size_t>(piece.totals.bytes));
  const std::size_t whole = whole_records(layout_, rest.first(std::min(rest.size(), room)));
  return totals_of(format_, rest.first(first_records(layout_, rest.first(whole), max_records)), checksum_);
}

RecordTotals ReadAhead::take(std::span<std::byte> target, std::uint64_t max_records) {
  Piece& piece = pieces_.front();
  const RecordTotals taken = totals_of_fitting(piece, target.size(), max_records);
  copy_in_parallel(target, piece.memory.bytes().subspan(piece.begin, static_cast<std::size_t>(taken.bytes)));
  piece.begin += static_cast<std::size_t>(taken.bytes);
  piece.totals = piece.totals - taken;
  bytes_ -= taken.bytes;
  if (piece.totals.records == 0) {
    memory_bytes_ -= piece.memory.size();
    pieces_.pop_front();
  }
  return taken;
}

RecordReader::RecordReader(InputSequence inputs, const Format& format, bool checksum, Observer& observer,
                           const InputMark& begin)
    : format_(format),
      layout_(layout_of(format)),
      checksum_(checksum),
      piece_totals_(format, checksum),
      observer_(observer),
      inputs_(std::move(inputs)),
      ahead_(format, checksum),
      totals_(begin.totals),
      bytes_before_(begin.offset) {
  inputs_.go_on_at(begin);
}

std::optional<std::uint64_t> RecordReader::total_bytes() const {
  if (const auto bytes = inputs_.size()) return bytes;
  if (!inputs_.has_ended() || !carry_.empty()) return std::nullopt;
  return totals_.bytes + ahead_.bytes();
}

bool RecordReader::at_end() const {
  if (is_in_place()) return given_bytes_ == in_place_.size();
  return carry_.empty() && ahead_.empty() && inputs_.at_end();
}

std::string RecordReader::position() const {
  if (is_in_place()) return inputs_.position_in_only(given_bytes_);
  return ahead_.empty() ? inputs_.position(carry_.size()) : ahead_.position();
}

// Reads on through the inputs until the target is full or they end. Returns how much it holds. Inputs whose size is not
// known come through one thread, which should not have to clear pages as well.
std::size_t RecordReader::fill(std::span<std::byte> target) {
  if (totals_.bytes >= kLeastForTouching && !inputs_.size()) {
    touch_pages_in_parallel(
        target.first(static_cast<std::size_t>(std::min<std::uint64_t>(target.size(), totals_.bytes))));
  }
  const bool is_between_inputs = inputs_.is_between_inputs();
  const std::size_t from_carry = std::min(target.size(), carry_.size());
  std::copy_n(carry_.begin(), from_carry, target.begin());
  carry_.erase(carry_.begin(), carry_.begin() + static_cast<std::ptrdiff_t>(from_carry));
  if (carry_.empty() && carry_.capacity() > kUsualCarryBytes) release_memory(carry_);
  piece_totals_.start(target.data());
  if (inputs_.ends_pieces() && is_between_inputs && from_carry > 0) return from_carry;
  return inputs_.read(target, from_carry, [this](std::span<const std::byte> slice) {
    const auto span = observer_.span("checksum input");  // count_piece() counts the bytes
    piece_totals_.add(slice);
  });
}

// Sets `whole` to the length of the whole records of `piece`, at most `max_records` of them, and returns their totals.
RecordTotals RecordReader::count_piece(std::span<const std::byte> piece, std::size_t& whole,
                                       std::uint64_t max_records) {
  auto span = observer_.span("checksum input");
  RecordTotals totals;
  if (layout_.walked()) {
    // The last record of an input is known to be whole at the end of that.
    const bool is_end = inputs_.is_between_inputs() && carry_.empty();
    if (layout_.started() && !is_end) piece = piece.first(whole_records(layout_, piece));
    const std::vector<std::span<const std::byte>> records = walked_records(piece);
    whole = bytes_of(records);
    totals = totals_of_ranges(format_, records, checksum_);
  } else {
    whole = whole_records(layout_, piece);
    totals = piece_totals_.finish(whole);
  }
  if (totals.records > max_records) {
    whole = first_records(layout_, piece.first(whole), max_records);
    totals = totals_of(format_, piece.first(whole), checksum_);
  }
  if (layout_.quoted()) inputs_.count_lines(piece, whole);
  span.set_bytes(whole);
  return totals;
}

std::vector<std::span<const std::byte>> RecordReader::walked_records(std::span<const std::byte> piece) const {
  if (!layout_.quoted()) return find_walked_records(layout_, piece);
  QuotedRanges records = find_quoted_records(piece, layout_.syntax);
  if (records.has_fault) inputs_.refuse_quotes(piece, false);
  return std::move(records.ranges);
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
  if (carry_.capacity() > std::max(kUsualCarryBytes, kLittleShare * carry_.size())) carry_.shrink_to_fit();
  if (whole == 0) inputs_.check_unfinished_record(carry_);
  if (whole == 0) return {{Status::kTooSmall, known_bytes(filled)}, {}};
  return {{Status::kRecords, whole, totals.records, whole}, totals};
}

// Known length of the record for which `filled` bytes were not enough. It is at the front of the carried-over bytes.
std::size_t RecordReader::known_bytes(std::size_t filled) const {
  if (layout_.walked() || !layout_.delimited()) return filled;
  const auto delimiter =
      std::find(carry_.begin() + static_cast<std::ptrdiff_t>(filled), carry_.end(), std::byte(layout_.delimiter));
  return static_cast<std::size_t>(delimiter - carry_.begin());
}

bool RecordReader::read_ahead(std::size_t piece_bytes) {
  MemoryRegion memory(piece_bytes);
  std::string begin = inputs_.position(carry_.size());
  const Read read = read_records(memory.bytes(), kAnyNumber);
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
  std::vector<std::byte> bytes;
  if (!ahead_.empty()) {
    const auto waiting = ahead_.first_piece();
    bytes.assign(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(std::min(waiting.size(), most_bytes)));
  } else if (carry_.empty()) {
    // A vector is cleared, which takes longer than to sort a small file. Files of the system say that they are empty.
    const std::uint64_t there = inputs_.size_of_only().value_or(0);
    bytes.resize(there > 0 ? std::min<std::uint64_t>(most_bytes, there) : most_bytes);
    bytes.resize(inputs_.peek(0, bytes));
  }
  bytes.resize(whole_records(layout_, bytes));
  return bytes;
}

RecordTotals RecordReader::totals_of_records(std::span<const std::byte> records, bool checksum) const {
  if (!layout_.walked()) return totals_of(format_, records, checksum);
  return totals_of_ranges(format_, find_walked_records(layout_, records), checksum);
}

LinePosition RecordReader::position_behind(std::span<const std::byte> before) const {
  const std::uint64_t in_front = inputs_.records_in_first(bytes_before_) + records_before_;
  return inputs_.position_of_line(in_front + count_records(layout_, before) + 1);
}

// The input of its last byte tells: that it is read to its end may be known only when more is asked for.
InputMark RecordReader::begin_of_last_piece() const {
  RecordTotals before_last_byte = totals_;
  --before_last_byte.bytes;
  InputMark mark = inputs_.mark(before_last_byte);
  mark.offset -= last_.bytes - 1;
  mark.totals = totals_ - last_;
  return mark;
}

RecordReader::Piece RecordReader::read(std::span<std::byte> target, std::uint64_t max_records) {
  const bool begins_input = carry_.empty() && inputs_.is_between_inputs();
  records_before_ = begins_input ? 0 : records_before_ + last_.records;
  if (begins_input) bytes_before_ = 0;
  const Read read = ahead_.empty() ? read_records(target, max_records) : take_ahead(target, max_records);
  count(read.totals);
  last_ = read.totals;
  return read.piece;
}

void RecordReader::count(const RecordTotals& totals) {
  if (tally_ != nullptr) {
    if (totals_.records == 0 && totals.records > 0) ++tally_->inputs;
    tally_->totals += totals;
  }
  totals_ += totals;
}

MemoryRegion::Pages RecordReader::pages() const {
  const bool is_little = total_bytes().value_or(kLeastHugeBytes) < kLeastHugeBytes;
  return is_little ? MemoryRegion::Pages::kSmall : MemoryRegion::Pages::kHuge;
}

// Reads no more than gets keys next: so records stay in the caches, and little memory is touched.
RecordReader::Portion RecordReader::next(const PortionSize& size) {
  if (is_in_place()) return next_in_place(size.wanted);
  if (memory_.size() != size.usual) memory_ = MemoryRegion(size.usual, pages());
  Piece piece = read(memory_.bytes().first(size.wanted), kAnyNumber);
  if (piece.status == Status::kTooSmall && size.wanted < size.usual) piece = read(memory_.bytes(), kAnyNumber);
  while (piece.status == Status::kTooSmall && memory_.size() < size.most) {
    const std::size_t larger =
        std::min(std::max(memory_.size() + memory_.size() / 2, piece.bytes + piece.bytes / 8), size.most);
    memory_ = MemoryRegion();
    memory_ = MemoryRegion(larger);
    piece = read(memory_.bytes(), kAnyNumber);
  }
  return {piece.status, memory_.bytes().first(piece.status == Status::kRecords ? piece.bytes : 0)};
}

}  // namespace sortie
