#include "pipeline/input/record_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "record/csv/quoted_records.hpp"

namespace sortie {
namespace {

/// What is carried over is mostly shorter than a line. If a long line made the buffer larger than this, its memory is
/// given back.
constexpr std::size_t kUsualCarryBytes = 1 << 20;

void check_length(const Input& input, const Format& format, std::uint64_t bytes) {
  if (format.kind == RecordKind::kLines || bytes % format.record_bytes == 0) return;
  const std::uint64_t tail = bytes % format.record_bytes;
  throw Error("input '" + escape_unprintable(input.path()) + "' has " + std::to_string(bytes) +
              " bytes, no multiple of the record length " + std::to_string(format.record_bytes) + ": a stray tail of " +
              std::to_string(tail) + " bytes begins at offset " + std::to_string(bytes - tail) +
              "; check the format, or cut the tail off");
}

SortOptions with_format(const Format& format) {
  SortOptions options;
  options.format = format;
  return options;
}

}  // namespace

RecordReader::RecordReader(InputOpener& opener, const std::vector<std::string>& paths, const Format& format,
                           bool checksum, Observer& observer)
    : format_(format),
      layout_(layout_of(format)),
      checksum_(checksum),
      piece_totals_(format, checksum),
      observer_(observer),
      ahead_(format, checksum) {
  for (const std::string& path : paths) {
    inputs_.push_back(opener.open(path));
    if (const auto bytes = inputs_.back()->size()) check_length(*inputs_.back(), format, *bytes);
  }
}

RecordReader::RecordReader(FileSystem& files, const std::vector<std::string>& paths, const Format& format,
                           bool checksum, Observer& observer)
    : RecordReader(*std::make_unique<InputOpener>(files, with_format(format)), paths, format, checksum, observer) {}

std::optional<std::uint64_t> RecordReader::bytes_read_in_all() const {
  if (current_ < inputs_.size() || !carry_.empty()) return std::nullopt;
  return totals_.bytes + ahead_.bytes();
}

std::optional<std::uint64_t> RecordReader::total_bytes() const {
  std::uint64_t total = 0;
  for (const auto& input : inputs_) {
    const auto bytes = input->size();
    if (!bytes) return bytes_read_in_all();
    total += *bytes;
  }
  return total;
}

bool RecordReader::at_end() const {
  if (mapped_taken_ < mapped_lines_.size() || !carry_.empty() || !ahead_.empty()) return false;
  std::uint64_t bytes_read = input_bytes_read_;
  for (std::size_t i = current_; i < inputs_.size(); ++i) {
    if (inputs_[i]->size() != bytes_read) return false;
    bytes_read = 0;
  }
  return true;
}

std::string RecordReader::position() const { return ahead_.empty() ? read_position() : ahead_.position(); }

// Names the place of the first byte that has not been read as part of a piece.
std::string RecordReader::read_position() const {
  if (!mapped_lines_.empty()) {
    return "input '" + escape_unprintable(inputs_[0]->path()) + "' at offset " + std::to_string(mapped_taken_);
  }
  // What is carried over ends what was read of the current input, unless that input has just been completed.
  const bool completed = input_bytes_read_ < carry_.size();
  const std::size_t index = std::min(completed && current_ > 0 ? current_ - 1 : current_, inputs_.size() - 1);
  const std::string name = "input '" + escape_unprintable(inputs_[index]->path()) + "'";
  return completed ? name
                   : name + " at offset " + std::to_string(inputs_[index]->begin() + input_bytes_read_ - carry_.size());
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
  std::size_t filled = from_carry;
  std::size_t input_begin = 0;  // where the current input goes on in the target; a record begins there
  // Keeps one byte free for the delimiter that a last line may lack.
  const std::size_t limit = target.size() - (layout_.delimited() ? 1 : 0);
  piece_totals_.start(target.data());
  const Input::SliceSink count_slice = slice_counter();
  while (filled < limit && current_ < inputs_.size()) {
    auto span = observer_.span("read");
    const std::span<std::byte> rest = target.subspan(filled, limit - filled);
    const bool in_part = takes_what_is_there_ && !inputs_[current_]->size();
    const std::size_t got =
        in_part ? inputs_[current_]->read_some(rest) : inputs_[current_]->read_slices(rest, count_slice);
    span.set_bytes(got);
    observer_.advance(got);
    input_bytes_read_ += got;
    filled += got;
    if (got < rest.size() && !(in_part && got > 0)) {
      input_begin = filled = finish_input(target, input_begin, filled);
    } else if (in_part && may_stop_reading(target.first(filled), got)) {
      break;
    }
  }
  return filled;
}

// Whether the target holds a whole record now that the last `got` bytes have come.
bool RecordReader::may_stop_reading(std::span<const std::byte> filled, std::size_t got) const {
  if (!layout_.delimited()) return filled.size() >= layout_.record_bytes;
  return std::memchr(filled.data() + filled.size() - got, layout_.delimiter, got) != nullptr;
}

std::size_t RecordReader::finish_input(std::span<std::byte> target, std::size_t begin, std::size_t filled) {
  check_length(*inputs_[current_], format_, input_bytes_read_);
  if (layout_.quoted) check_quotes(target.subspan(begin, filled - begin));
  std::uint64_t completed_bytes = 0;
  if (layout_.delimited() && input_bytes_read_ > 0 && filled > 0 &&
      target[filled - 1] != std::byte(layout_.delimiter)) {
    target[filled++] = std::byte(layout_.delimiter);
    completed_bytes = 1;
  }
  input_ends_.push_back((input_ends_.empty() ? 0 : input_ends_.back()) + input_bytes_read_ + completed_bytes);
  ++current_;
  input_bytes_read_ = 0;
  return filled;
}

// Throws if the current input, which has ended, has a quote that is not closed.
void RecordReader::check_quotes(std::span<const std::byte> end_of_input) const {
  const QuotedRanges records = find_quoted_records(end_of_input, layout_.separator);
  if (!records.inside_quotes) return;
  const std::size_t tail = end_of_input.size() - records.whole_bytes();
  throw Error("input '" + escape_unprintable(inputs_[current_]->path()) + "': the record at offset " +
              std::to_string(inputs_[current_]->begin() + input_bytes_read_ - tail) +
              " has an opening quote without a closing one; add it, or sort plain lines");
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
    return {{current_ == inputs_.size() ? Status::kEnd : Status::kTooSmall}, {}};
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
  std::string begin = read_position();
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

void RecordReader::tend() {
  for (const auto& input : inputs_) input->tend();
}

std::vector<std::byte> RecordReader::sample(std::size_t most_bytes) const {
  if (!mapped_lines_.empty()) return sample_mapped(most_bytes);
  std::vector<std::byte> bytes;
  if (!ahead_.empty()) {
    const auto waiting = ahead_.first_piece();
    bytes.assign(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(std::min(waiting.size(), most_bytes)));
  } else if (current_ < inputs_.size() && carry_.empty()) {
    bytes.resize(most_bytes);
    bytes.resize(inputs_[current_]->peek(bytes));
  }
  bytes.resize(whole_records(layout_, bytes));
  return bytes;
}

RecordTotals RecordReader::totals_of_records(std::span<const std::byte> records) const {
  if (!layout_.quoted) return totals_of(format_, records, checksum_);
  return totals_of_ranges(format_, find_quoted_records(records, layout_.separator).ranges, checksum_);
}

InputMark RecordReader::mark(const RecordTotals& kept_back) const {
  const RecordTotals taken = totals_ - kept_back;
  const auto input = std::upper_bound(input_ends_.begin(), input_ends_.end(), taken.bytes);
  const std::uint64_t input_begin = input == input_ends_.begin() ? 0 : *(input - 1);
  return {static_cast<std::uint64_t>(input - input_ends_.begin()), taken.bytes - input_begin, taken};
}

void RecordReader::go_on_at(const InputMark& mark) {
  current_ = static_cast<std::size_t>(std::min<std::uint64_t>(mark.input, inputs_.size()));
  input_ends_.assign(current_, mark.totals.bytes - mark.offset);
  if (current_ < inputs_.size()) inputs_[current_]->skip(mark.offset);
  input_bytes_read_ = mark.offset;
  totals_ = mark.totals;
}

RecordReader::Piece RecordReader::read(std::span<std::byte> target, std::uint64_t max_records) {
  const Read read = ahead_.empty() ? read_records(target, max_records) : take_ahead(target, max_records);
  totals_ += read.totals;
  return read.piece;
}

}  // namespace sortie
