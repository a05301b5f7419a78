#include "pipeline/input/input_sequence.hpp"

#include <algorithm>
#include <cstring>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/system_limits.hpp"
#include "pipeline/input/refused_text.hpp"
#include "record/csv/quoted_records.hpp"
#include "record/line_ends.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/starts/started_records.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {
namespace {

/// Less memory for an input is not worth a thread.
constexpr std::uint64_t kLeastAheadBytes = 4 << 20;
/// Inputs that are open before their turn may take one in this many of the files that may still be opened.
constexpr std::uint64_t kDescriptorShare = 8;

/// How many of the first `end` bytes are whole lines.
std::size_t whole_lines_before(std::span<const std::byte> bytes, std::size_t end) {
  const void* const newline = end == 0 ? nullptr : ::memrchr(bytes.data(), '\n', end);
  return newline == nullptr ? 0 : static_cast<std::size_t>(static_cast<const std::byte*>(newline) - bytes.data()) + 1;
}

std::vector<std::unique_ptr<DeferredInput>> open_all(InputOpener& opener, const std::vector<std::string>& paths) {
  std::vector<std::unique_ptr<DeferredInput>> inputs;
  inputs.reserve(paths.size());
  for (const std::string& path : paths) inputs.push_back(opener.open(path));
  return inputs;
}

}  // namespace

InputSequence::InputSequence(InputOpener& opener, const std::vector<std::string>& paths, const Format& format,
                             Waiting waiting, Observer& observer)
    : InputSequence(opener, open_all(opener, paths), format, waiting, observer) {}

InputSequence::InputSequence(const InputOpener& opener, std::vector<std::unique_ptr<DeferredInput>> inputs,
                             const Format& format, Waiting waiting, Observer& observer)
    : layout_(layout_of(format)),
      waiting_(layout_.quoted() ? Waiting::kUntilFull : waiting),
      ends_pieces_(layout_.started() || may_refuse_lines(format) || opener.names_lines()),
      observer_(observer),
      inputs_(std::move(inputs)) {
  for (const auto& input : inputs_) {
    if (const auto bytes = input->size()) check_length(*input, *bytes);
  }
}

void InputSequence::unpack_ahead(std::uint64_t memory_bytes, unsigned threads) {
  std::uint64_t packed = 0;
  std::uint64_t unpacking_bytes = 0;
  for (const auto& input : inputs_) {
    packed += input->is_packed_file() ? 1 : 0;
    unpacking_bytes = std::max(unpacking_bytes, input->unpacking_bytes());
  }
  if (packed <= 1) return;
  const std::uint64_t least_bytes = std::max(kLeastAheadBytes, 2 * unpacking_bytes);
  ahead_.count = std::min(
      {packed - 1, threads - std::uint64_t{1}, memory_bytes / least_bytes, free_descriptors() / kDescriptorShare});
  ahead_.bytes = ahead_.count == 0 ? 0 : memory_bytes / ahead_.count;
}

void InputSequence::check_length(const Input& input, std::uint64_t bytes) const {
  if (layout_.walked() || layout_.delimited() || bytes % layout_.record_bytes == 0) return;
  const std::uint64_t tail = bytes % layout_.record_bytes;
  throw Error("input '" + escape_unprintable(input.path()) + "' has " + std::to_string(bytes) +
              " bytes, no multiple of the record length " + std::to_string(layout_.record_bytes) +
              ": a stray tail of " + std::to_string(tail) + " bytes begins at offset " + std::to_string(bytes - tail) +
              "; check the format, or cut the tail off");
}

std::optional<std::uint64_t> InputSequence::size() const {
  std::uint64_t total = 0;
  for (const auto& input : inputs_) {
    const auto bytes = input->size();
    if (!bytes) return std::nullopt;
    total += *bytes;
  }
  return total;
}

bool InputSequence::at_end() const {
  std::uint64_t bytes_read = bytes_read_;
  for (std::size_t i = current_; i < inputs_.size(); ++i) {
    if (inputs_[i]->size() != bytes_read) return false;
    bytes_read = 0;
  }
  return true;
}

std::size_t InputSequence::read(std::span<std::byte> target, std::size_t filled, const Input::SliceSink& sink) {
  std::size_t input_begin = 0;  // where the current input goes on in the target; a record begins there
  // Keeps one byte free for the delimiter that a last line may lack.
  const std::size_t limit = target.size() - (completes_last_record() ? 1 : 0);
  while (filled < limit && !has_ended()) {
    auto span = observer_.span("read");
    DeferredInput& input = *inputs_[current_];
    std::span<std::byte> rest = target.subspan(filled, limit - filled);
    if (input.unpacked_bytes() > 0) rest = rest.first(std::min(rest.size(), input.unpacked_bytes()));
    const bool in_part = gives_what_is_there() && !input.size();
    const std::size_t got = in_part ? input.read_some(rest) : read_current(rest, sink);
    span.set_bytes(got);
    observer_.advance(got);
    bytes_read_ += got;
    filled += got;
    if (got < rest.size() && !(in_part && got > 0)) {
      input_begin = filled = finish_input(target, input_begin, filled);
      if (ends_pieces_ && filled > 0) break;
    } else if (in_part && holds_record(target.first(filled), got)) {
      break;
    }
  }
  return filled;
}

// Where the current input has to be unpacked, the next ones are unpacked beside it, by as much.
std::size_t InputSequence::read_current(std::span<std::byte> target, const Input::SliceSink& sink) {
  DeferredInput& input = *inputs_[current_];
  if (ahead_.count == 0 || !input.is_packed_file() || input.unpacked_bytes() > 0) {
    return input.read_slices(target, sink);
  }
  const std::vector<DeferredInput*> next = inputs_to_unpack();
  std::size_t got = 0;
  parallel_for(0, next.size() + 1, [&](std::size_t i) {
    if (i == 0) {
      got = input.read(target);
    } else {
      next[i - 1]->unpack_ahead(target.size(), ahead_.bytes - next[i - 1]->unpacking_bytes());
    }
  });
  return got;
}

std::vector<DeferredInput*> InputSequence::inputs_to_unpack() const {
  std::vector<DeferredInput*> next;
  for (std::size_t i = current_ + 1; i < inputs_.size() && next.size() < ahead_.count; ++i) {
    if (inputs_[i]->is_packed_file()) next.push_back(inputs_[i].get());
  }
  return next;
}

// Whether there is a whole record now that the last `got` bytes have come.
bool InputSequence::holds_record(std::span<const std::byte> filled, std::size_t got) const {
  if (layout_.prefixed()) return !front_prefixed_record(filled).empty();
  if (layout_.started()) {
    // Only the lines that the bytes belong to may have begun the next record.
    const std::size_t line = whole_lines_before(filled, filled.size() - got);
    return start_at_or_after(layout_.start, filled, std::max<std::size_t>(line, 1)) < filled.size();
  }
  if (!layout_.delimited()) return filled.size() >= layout_.record_bytes;
  return std::memchr(filled.data() + filled.size() - got, layout_.delimiter, got) != nullptr;
}

std::size_t InputSequence::finish_input(std::span<std::byte> target, std::size_t begin, std::size_t filled,
                                        bool is_mapped) {
  check_length(*inputs_[current_], bytes_read_);
  const std::span<const std::byte> end_of_input = target.subspan(begin, filled - begin);
  if (layout_.quoted()) check_quotes(end_of_input);
  if (layout_.prefixed() && !is_mapped) {
    const std::span<const std::byte> rest = end_of_input.subspan(whole_prefixed_records(end_of_input));
    if (!rest.empty()) throw_unfinished(position(rest.size()), rest, rest.size());
  }
  std::uint64_t completed_bytes = 0;
  if (completes_last_record() && bytes_read_ > 0 && filled > 0 && target[filled - 1] != std::byte(layout_.delimiter)) {
    target[filled++] = std::byte(layout_.delimiter);
    completed_bytes = 1;
  }
  ends_.push_back((ends_.empty() ? 0 : ends_.back()) + bytes_read_ + completed_bytes);
  ++current_;
  bytes_read_ = bytes_skipped_ = lines_given_ = 0;
  return filled;
}

bool InputSequence::completes_last_record() const { return !layout_.prefixed() && layout_.delimited(); }

void InputSequence::check_unfinished_record(std::span<const std::byte> begin) const {
  if (!layout_.prefixed() || has_ended() || begin.size() < PrefixedHeader::kBytes) return;
  const auto bytes = inputs_[current_]->size();
  if (!bytes || bytes_read_ < begin.size()) return;
  const std::uint64_t left = *bytes - (bytes_read_ - begin.size());
  if (PrefixedHeader::load(begin.data()).record_bytes() > left) throw_unfinished(position(begin.size()), begin, left);
}

void InputSequence::check_mapped_end(std::span<const std::byte> bytes, std::size_t whole) const {
  const std::span<const std::byte> rest = bytes.subspan(whole);
  if (!rest.empty()) throw_unfinished(position_in_only(whole), rest, rest.size());
}

// `left`: bytes from the begin of the record to the end of its input.
void InputSequence::throw_unfinished(const std::string& position, std::span<const std::byte> begin,
                                     std::uint64_t left) const {
  const std::string record = position + ": the record";
  const std::string advice = "; is the file damaged, or of another format?";
  if (left < PrefixedHeader::kBytes) {
    throw Error(record + " has no whole header: " + std::to_string(left) + " of its " +
                std::to_string(PrefixedHeader::kBytes) + " bytes are there" + advice);
  }
  const PrefixedHeader header = PrefixedHeader::load(begin.data());
  throw Error(record + " leaves the input: its header says " + std::to_string(header.key_bytes) + " bytes of key and " +
              std::to_string(header.payload_bytes) + " of payload, and " +
              std::to_string(left - PrefixedHeader::kBytes) + " are left" + advice);
}

// Throws if the current input, which has ended, has a quote that is not closed, or text behind one that is.
void InputSequence::check_quotes(std::span<const std::byte> end_of_input) const {
  const QuotedRanges records = find_quoted_records(end_of_input, layout_.syntax);
  if (records.inside_quotes || records.has_fault) refuse_quotes(end_of_input, true);
}

void InputSequence::refuse_quotes(std::span<const std::byte> bytes, bool at_end) const {
  bytes = bytes.last(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), bytes_read_)));
  const std::uint64_t lines_before =
      counts_lines() ? lines_in_first(bytes_skipped_) + lines_given_ : lines_in_first(bytes_read_ - bytes.size());
  refuse_quote_fault(bytes, layout_.syntax, at_end, name(current_),
                     inputs_[current_]->numbering().lines_in_front + lines_before);
}

// A file can be read again.
bool InputSequence::counts_lines() const { return inputs_[current_]->path() == "-" || !inputs_[current_]->size(); }

void InputSequence::count_lines(std::span<const std::byte> bytes, std::size_t given) {
  if (has_ended() || !counts_lines()) return;
  const std::size_t earlier = bytes.size() - std::min<std::uint64_t>(bytes.size(), bytes_read_);
  if (given > earlier) lines_given_ += count_bytes(bytes.subspan(earlier, given - earlier), '\n');
}

std::optional<std::uint64_t> InputSequence::size_of_only() const {
  return inputs_.size() == 1 && current_ == 0 && bytes_read_ == 0 ? inputs_[0]->size() : std::nullopt;
}

InputSequence::Mapped InputSequence::map_only(std::span<std::byte> target, const Input::SliceSink& sink) {
  Mapped mapped{inputs_[0]->map(target, sink)};
  if (!mapped.mapping) return mapped;
  bytes_read_ = *inputs_[0]->size();
  mapped.bytes = finish_input(target, 0, static_cast<std::size_t>(bytes_read_), true);
  return mapped;
}

void InputSequence::rewind() {
  current_ = 0;
  bytes_read_ = bytes_skipped_ = lines_given_ = 0;
  ends_.clear();
}

InputMark InputSequence::mark(const RecordTotals& totals) const {
  const auto input = std::upper_bound(ends_.begin(), ends_.end(), totals.bytes);
  const std::uint64_t input_begin = input == ends_.begin() ? 0 : *(input - 1);
  return {static_cast<std::uint64_t>(input - ends_.begin()), totals.bytes - input_begin, totals};
}

void InputSequence::go_on_at(const InputMark& mark) {
  current_ = static_cast<std::size_t>(std::min<std::uint64_t>(mark.input, inputs_.size()));
  ends_.assign(current_, mark.totals.bytes - mark.offset);
  if (mark.offset > 0) inputs_[current_]->skip(mark.offset);
  bytes_read_ = bytes_skipped_ = mark.offset;
}

}  // namespace sortie
