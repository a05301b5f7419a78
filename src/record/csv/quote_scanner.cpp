#include "record/csv/quote_scanner.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

constexpr unsigned kLast = QuoteScanner::kBlockBytes - 1;

std::uint64_t bits_of(const char* block, char byte) {
  return bits_64(block, [byte](const char* text) { return equal_bits_16(text, static_cast<unsigned char>(byte)); });
}

/// Bit i: whether the number of bits up to and with bit i is odd.
std::uint64_t prefix_xor(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/// The low `count` bits.
std::uint64_t low_bits(std::size_t count) {
  return count >= QuoteScanner::kBlockBytes ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// What backslashes do to the bytes behind them.
struct Escapes {
  std::uint64_t escaped = 0;     // bytes that a backslash stands in front of
  bool next_is_escaped = false;  // the first byte behind the block is one
};

/// `backslashes`: those of a block. Outside of quotes they mean nothing, but a quote behind one opens no field either.
Escapes escapes_of(std::uint64_t backslashes, bool first_is_escaped) {
  Escapes escapes{first_is_escaped ? std::uint64_t{1} : 0};
  for (std::uint64_t left = backslashes & ~escapes.escaped; left != 0;) {
    const auto at = static_cast<unsigned>(std::countr_zero(left));
    escapes.next_is_escaped = at == kLast;
    if (at == kLast) break;
    escapes.escaped |= std::uint64_t{1} << (at + 1);
    left &= ~(std::uint64_t{3} << at);
  }
  return escapes;
}

constexpr std::byte kNoGap{0};
constexpr std::byte kStandIn{' '};
constexpr unsigned kMark = 0x80;
constexpr unsigned kMore = 0x40;
constexpr unsigned kDigitBits = 6;

std::byte* write_gap(std::size_t gap, std::byte* out) {
  for (; gap >> kDigitBits != 0; gap >>= kDigitBits) *out++ = std::byte(kMark | kMore | (gap & (kMore - 1)));
  *out++ = std::byte(kMark | gap);
  return out;
}

std::size_t read_gap(const std::byte*& at) {
  std::size_t gap = 0;
  for (unsigned shift = 0;; shift += kDigitBits) {
    const unsigned digit = std::to_integer<unsigned>(*at++);
    gap |= std::size_t{digit & (kMore - 1)} << shift;
    if ((digit & kMore) == 0) return gap;
  }
}

const std::byte* find_newline(const std::byte* begin, const std::byte* end) {
  return static_cast<const std::byte*>(std::memchr(begin, '\n', static_cast<std::size_t>(end - begin)));
}

}  // namespace

std::uint64_t QuoteScanner::record_ends(const char* block, std::size_t size) {
  std::array<char, kBlockBytes> padded{};
  std::copy_n(block, size, padded.data());
  return scan(padded.data(), size) & low_bits(size);
}

std::uint64_t QuoteScanner::scan(const char* block, std::size_t size) {
  std::uint64_t quotes = bits_of(block, '"');
  if (quotes == 0 && (state_ == State::kField || state_ == State::kFieldBegin)) {
    const bool field_ends = block[kLast] == separator_ || block[kLast] == '\n';
    state_ = field_ends ? State::kFieldBegin : State::kField;
    return bits_of(block, '\n');
  }
  if (quotes == 0 && state_ == State::kQuoted && !has_backslashes_) return 0;
  if (state_ == State::kBehindReturn) return step_through(block, size);
  Escapes escapes;
  if (has_backslashes_) escapes = escapes_of(bits_of(block, '\\'), state_ == State::kEscaped);
  quotes &= ~escapes.escaped;
  // As long as every quote opens or closes a field, the odd ones open. A quote that opens stands where a field begins,
  // or right behind one that closes: then the two are one quote that belongs to the field.
  const std::uint64_t inside = prefix_xor(quotes) ^ (inside_quotes() ? ~std::uint64_t{0} : 0);
  const std::uint64_t newlines = bits_of(block, '\n') & ~inside;
  const std::uint64_t field_ends = (bits_of(block, separator_) & ~inside) | newlines;
  const std::uint64_t opening = quotes & inside;
  const std::uint64_t closing = quotes & ~inside;
  const std::uint64_t behind_closing = closing << 1 | (state_ == State::kBehindQuote ? 1 : 0);
  const std::uint64_t may_open = field_ends << 1 | (state_ == State::kFieldBegin ? 1 : 0);
  if ((opening & ~(has_backslashes_ ? may_open : may_open | behind_closing)) != 0) return step_through(block, size);
  const std::uint64_t others_behind = behind_closing & ~(field_ends | opening);
  // Mostly the "\r" of a line end, or what is behind the last block.
  if (others_behind != 0 && (others_behind & low_bits(size) & ~(bits_of(block, '\r') & newlines >> 1)) != 0) {
    return step_through(block, size);
  }
  if (inside >> kLast != 0) {
    state_ = escapes.next_is_escaped ? State::kEscaped : State::kQuoted;
  } else if (closing >> kLast != 0) {
    state_ = State::kBehindQuote;
  } else {
    state_ = field_ends >> kLast != 0 ? State::kFieldBegin : State::kField;
  }
  return newlines;
}

bool QuoteScanner::is_record_end(char byte) {
  state_ = state_behind(byte);
  return state_ == State::kFieldBegin && byte == '\n';
}

std::uint64_t QuoteScanner::step_through(const char* block, std::size_t size) {
  std::uint64_t ends = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (is_record_end(block[i])) ends |= std::uint64_t{1} << i;
  }
  return ends;
}

QuoteScanner::State QuoteScanner::state_behind(char byte) {
  switch (state_) {
    case State::kQuoted:
      if (byte == '\\' && has_backslashes_) return State::kEscaped;
      return byte == '"' ? State::kBehindQuote : State::kQuoted;
    case State::kEscaped:
      return State::kQuoted;
    case State::kFieldBegin:
      if (byte == '"') return State::kQuoted;
      break;
    case State::kField:
      break;
    case State::kBehindQuote:
    case State::kBehindReturn:
      return state_behind_closed(byte);
  }
  return byte == separator_ || byte == '\n' ? State::kFieldBegin : State::kField;
}

QuoteScanner::State QuoteScanner::state_behind_closed(char byte) {
  const bool is_behind_quote = state_ == State::kBehindQuote;
  if (byte == '\n' || (byte == separator_ && is_behind_quote)) return State::kFieldBegin;
  if (byte == '"' && is_behind_quote && !has_backslashes_) return State::kQuoted;
  if (byte == '\r' && is_behind_quote) return State::kBehindReturn;
  has_fault_ = true;
  return byte == separator_ ? State::kFieldBegin : State::kField;
}

std::byte* write_as_line(std::span<const std::byte> record, std::byte* out) {
  const std::byte* const end = record.data() + record.size();
  const std::byte* begin = record.data();
  for (const std::byte* newline = find_newline(begin, end); newline + 1 != end; newline = find_newline(begin, end)) {
    out = write_gap(static_cast<std::size_t>(newline - begin), out);
    begin = newline + 1;
  }
  *out++ = kNoGap;
  std::memcpy(out, record.data(), record.size());
  if (begin != record.data()) {
    for (std::size_t i = 0; i + 1 < record.size(); ++i) {
      if (out[i] == std::byte('\n')) out[i] = kStandIn;
    }
  }
  return out + record.size();
}

std::size_t record_offset(std::span<const std::byte> line) {
  const void* const stop = std::memchr(line.data(), std::to_integer<int>(kNoGap), line.size());
  assert(stop != nullptr);
  return static_cast<std::size_t>(static_cast<const std::byte*>(stop) - line.data()) + 1;
}

std::span<const std::byte> restore_newlines(std::span<std::byte> line) {
  const std::span<std::byte> record = line.subspan(record_offset(line));
  std::byte* at = record.data();
  for (const std::byte* gap = line.data(); *gap != kNoGap;) {
    at += read_gap(gap);
    *at++ = std::byte('\n');
  }
  return record;
}

}  // namespace sortie
