#include "pipeline/input/headed_input.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/byte_order_mark.hpp"
#include "base/quote.hpp"
#include "base/release_memory.hpp"
#include "pipeline/input/refused_text.hpp"
#include "record/csv/quoted_records.hpp"

namespace sortie {
namespace {

/// Nearly every header is shorter.
constexpr std::size_t kFirstBytes = 16 << 10;
constexpr std::size_t kMostBytes = 64 << 20;
/// Nobody asks how a longer record ends.
constexpr std::size_t kMostFirstBytes = 1 << 20;

struct HeaderEnd {
  std::size_t bytes = 0;
  std::uint64_t records = 0;       ///< that end there
  std::size_t prefixed_bytes = 0;  ///< of lines that the prefixes say
  std::uint64_t prefixed_lines = 0;
  bool complete = false;  ///< all wanted records are there
  QuotesSeen quotes = {};
};

/// Finds the end of the first `records` records of `text`, or of all records if there are fewer.
HeaderEnd find_header_end(const Layout& layout, std::span<const std::byte> text, std::uint64_t records) {
  HeaderEnd end;
  end.complete = records == 0;
  if (end.complete) return end;
  const auto take_end = [&](std::size_t bytes) {
    end.bytes = bytes;
    end.complete = ++end.records == records;
    return !end.complete;
  };
  if (layout.quoted()) {
    end.quotes = for_each_quoted_end(text, layout.syntax, false, take_end);
    return end;
  }
  while (!end.complete) {
    const auto rest = text.subspan(end.bytes);
    const auto delimiter = std::ranges::find(rest, std::byte(layout.delimiter));
    if (delimiter == rest.end()) break;
    take_end(end.bytes + static_cast<std::size_t>(delimiter - rest.begin()) + 1);
  }
  return end;
}

/// Finds the end of the lines at the begin of `text` that begin with one of `prefixes`. `more`: more may follow `text`.
HeaderEnd find_prefixed_end(const Layout& layout, std::span<const std::byte> text,
                            const std::vector<std::string>& prefixes, bool more) {
  const std::string_view whole(reinterpret_cast<const char*>(text.data()), text.size());
  const std::size_t longest = std::ranges::max_element(prefixes, {}, &std::string::size)->size();
  HeaderEnd end;
  while (true) {
    const std::string_view line = whole.substr(end.bytes);
    const auto begins_line = [&](const std::string& prefix) { return line.starts_with(prefix); };
    if (std::ranges::none_of(prefixes, begins_line)) {
      end.complete = !more || line.size() >= longest;
      return end;
    }
    const std::size_t delimiter = line.find(layout.delimiter);
    if (delimiter == std::string_view::npos) return end;
    end.bytes += delimiter + 1;
    ++end.records;
  }
}

/// The same for the whole header.
HeaderEnd find_header_end(const Layout& layout, std::span<const std::byte> text, const HeaderRule& rule, bool more) {
  if (rule.prefixes.empty()) return find_header_end(layout, text, rule.records);
  HeaderEnd lines = find_prefixed_end(layout, text, rule.prefixes, more);
  if (!lines.complete) lines.prefixed_bytes = text.size();
  if (!lines.complete || rule.records == 0) return lines;
  HeaderEnd records = find_header_end(layout, text.subspan(lines.bytes), rule.records);
  records.prefixed_bytes = lines.bytes;
  records.prefixed_lines = lines.records;
  records.bytes += lines.bytes;
  records.records += lines.records;
  return records;
}

}  // namespace

bool can_begin_with_mark(Input& input) {
  if (!input.size()) return true;
  std::array<std::byte, kByteOrderMark.size()> begin{};
  return has_byte_order_mark(std::span(begin).first(input.peek(0, begin)));
}

HeadedInput::HeadedInput(std::unique_ptr<Input> input, const Layout& layout, const HeaderRule& rule)
    : input_(std::move(input)) {
  const bool reads_record = rule.expects_records() || rule.wants_line_end || (rule.is_csv && layout.quoted());
  const std::size_t first_bytes = reads_record ? kFirstBytes : kByteOrderMark.size();
  bool more = true;
  HeaderEnd end;
  std::size_t mark_bytes = 0;
  do {
    more = read_more(layout, first_bytes);
    mark_bytes = rule.may_be_marked && has_byte_order_mark(rest_) ? kByteOrderMark.size() : 0;
    const auto text = std::span<const std::byte>(rest_).subspan(mark_bytes);
    end = find_header_end(layout, text, rule, more);
    check_text(layout, rule, (end.complete ? text.first(end.bytes) : text).subspan(end.prefixed_bytes), more);
  } while (!end.complete && !end.quotes.fault && more);
  if (!end.complete || end.quotes.fault) {
    const auto text = std::span<const std::byte>(rest_).subspan(mark_bytes);
    const auto header = end.complete ? text.first(end.bytes) : text;
    check_quotes(layout, header.subspan(end.prefixed_bytes), end.prefixed_lines, !end.complete && !more);
  }
  while (rule.wants_line_end && !find_line_end(layout) && more && rest_.size() < kMostFirstBytes) {
    more = read_more(layout, first_bytes);
  }
  rest_begin_ = end.complete ? mark_bytes + end.bytes : rest_.size();
  begin_ = rest_begin_;
  is_empty_ = rest_.size() == mark_bytes;
  header_.assign(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(rest_begin_));
  header_records_ = end.records;
  header_lines_ = static_cast<std::uint64_t>(std::ranges::count(header_, std::byte('\n')));
  if (end.complete || mark_bytes + end.bytes == header_.size()) return;
  header_.push_back(std::byte(layout.delimiter));
  ++header_records_;
}

// `records`: of the header. Without one, the first record counts, which must end somewhere.
void HeadedInput::check_text(const Layout& layout, const HeaderRule& rule, std::span<const std::byte> records,
                             bool more) const {
  if (rule.is_no_wide_text) refuse_wide_text(path(), rest_);
  if (!rule.is_csv) return;
  const bool is_one_record =
      !rule.expects_records() && !more && std::ranges::find(rest_, std::byte('\n')) == rest_.end();
  refuse_bare_returns(path(), is_one_record ? std::span<const std::byte>(rest_) : records, layout.quoted());
}

// Returns whether the first record ends in what was read.
bool HeadedInput::find_line_end(const Layout& layout) {
  const auto text = without_byte_order_mark(std::span<const std::byte>(rest_));
  const HeaderEnd first = find_header_end(layout, text, 1);
  if (!first.complete) return false;
  const bool is_crlf = first.bytes > 1 && text[first.bytes - 2] == std::byte('\r');
  line_end_ = is_crlf ? "\r\n" : "\n";
  return true;
}

// `records`: of the header, or all that there is if it does not end.
void HeadedInput::check_quotes(const Layout& layout, std::span<const std::byte> records, std::uint64_t lines_before,
                               bool at_end) const {
  if (!layout.quoted()) return;
  refuse_quote_fault(records, layout.syntax, at_end, "input '" + escape_unprintable(path()) + "'", lines_before);
}

// Doubles the bytes read so far. Returns false at the end of the input.
bool HeadedInput::read_more(const Layout& layout, std::size_t first_bytes) {
  const std::size_t before = rest_.size();
  if (before >= kMostBytes) {
    throw Error("input " + quote_path(path()) + ": the header is longer than 64 MiB; " +
                (layout.quoted() ? "look for a quote that is not closed" : "ask for less or none"));
  }
  rest_.resize(std::max(first_bytes, 2 * before));
  const std::size_t wanted = rest_.size() - before;
  const std::size_t got = input_->read(std::span(rest_).subspan(before));
  rest_.resize(before + got);
  return got == wanted;
}

std::size_t HeadedInput::take_rest(std::span<std::byte> target) {
  const std::size_t bytes = std::min(target.size(), rest_.size() - rest_begin_);
  std::copy_n(rest_.begin() + static_cast<std::ptrdiff_t>(rest_begin_), bytes, target.begin());
  rest_begin_ += bytes;
  if (rest_begin_ == rest_.size()) release_memory(rest_);
  if (rest_.empty()) rest_begin_ = 0;
  return bytes;
}

void HeadedInput::skip(std::uint64_t bytes) {
  const std::size_t from_rest = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, rest_.size() - rest_begin_));
  rest_begin_ += from_rest;
  input_->skip(bytes - from_rest);
}

std::size_t HeadedInput::read(std::span<std::byte> target) {
  const std::size_t taken = take_rest(target);
  return taken + input_->read(target.subspan(taken));
}

std::size_t HeadedInput::read_some(std::span<std::byte> target) {
  const std::size_t taken = take_rest(target);
  return taken > 0 ? taken : input_->read_some(target);
}

std::size_t HeadedInput::read_slices(std::span<std::byte> target, const SliceSink& sink) {
  const std::size_t taken = take_rest(target);
  if (taken > 0) sink(target.first(taken));
  return taken + input_->read_slices(target.subspan(taken), sink);
}

std::optional<std::uint64_t> HeadedInput::size() const {
  const std::optional<std::uint64_t> bytes = input_->size();
  return bytes ? std::optional(*bytes - begin_) : std::nullopt;
}

std::size_t HeadedInput::peek(std::uint64_t distance, std::span<std::byte> target) {
  const std::size_t rest = rest_.size() - rest_begin_;
  const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(distance, rest));
  const std::size_t from_rest = std::min(target.size(), rest - skipped);
  std::copy_n(rest_.begin() + static_cast<std::ptrdiff_t>(rest_begin_ + skipped), from_rest, target.begin());
  return from_rest + input_->peek(distance - skipped, target.subspan(from_rest));
}

}  // namespace sortie
