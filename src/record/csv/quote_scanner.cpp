#include "record/csv/quote_scanner.hpp"

#include <array>
#include <cassert>
#include <cstring>

#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

constexpr unsigned kLast = QuoteScanner::kBlockBytes - 1;

std::uint64_t bits_of(const char* block, char byte) {
  const auto wanted = static_cast<unsigned char>(byte);
  return equal_bits_16(block, wanted) | equal_bits_16(block + 16, wanted) << 16 |
         equal_bits_16(block + 32, wanted) << 32 | equal_bits_16(block + 48, wanted) << 48;
}

/// Bit i: whether the number of bits up to and with bit i is odd.
std::uint64_t prefix_xor(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
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

std::uint64_t QuoteScanner::record_ends(const char* block) {
  const std::uint64_t quotes = bits_of(block, '"');
  if (quotes == 0) {
    if (state_ == State::kQuoted) return 0;
    const bool field_ends = block[kLast] == separator_ || block[kLast] == '\n';
    state_ = field_ends ? State::kFieldBegin : State::kField;
    return bits_of(block, '\n');
  }
  // As long as every quote opens or closes a field, the odd ones open. A quote that opens stands where a field begins,
  // or right behind one that closes: then the two are one quote that belongs to the field.
  const std::uint64_t inside = prefix_xor(quotes) ^ (state_ == State::kQuoted ? ~std::uint64_t{0} : 0);
  const std::uint64_t newlines = bits_of(block, '\n') & ~inside;
  const std::uint64_t field_ends = (bits_of(block, separator_) & ~inside) | newlines;
  const std::uint64_t closing = quotes & ~inside;
  const bool first_may_open = state_ == State::kFieldBegin || state_ == State::kBehindQuote;
  const std::uint64_t may_open = (field_ends | closing) << 1 | (first_may_open ? 1 : 0);
  if ((quotes & inside & ~may_open) != 0) return step_through(block);
  if (inside >> kLast != 0) {
    state_ = State::kQuoted;
  } else if (closing >> kLast != 0) {
    state_ = State::kBehindQuote;
  } else {
    state_ = field_ends >> kLast != 0 ? State::kFieldBegin : State::kField;
  }
  return newlines;
}

std::uint64_t QuoteScanner::record_ends(const char* block, std::size_t size) {
  std::array<char, kBlockBytes> padded{};
  std::memcpy(padded.data(), block, size);
  return record_ends(padded.data()) & ((std::uint64_t{1} << size) - 1);
}

std::uint64_t QuoteScanner::step_through(const char* block) {
  std::uint64_t ends = 0;
  for (unsigned i = 0; i < kBlockBytes; ++i) {
    state_ = state_behind(block[i]);
    if (state_ == State::kFieldBegin && block[i] == '\n') ends |= std::uint64_t{1} << i;
  }
  return ends;
}

QuoteScanner::State QuoteScanner::state_behind(char byte) const {
  const bool quote = byte == '"';
  if (state_ == State::kQuoted) return quote ? State::kBehindQuote : State::kQuoted;
  if (quote && state_ != State::kField) return State::kQuoted;
  return byte == separator_ || byte == '\n' ? State::kFieldBegin : State::kField;
}

std::byte* write_as_line(Record record, std::byte* out) {
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

std::size_t record_offset(Record line) {
  const void* const stop = std::memchr(line.data(), std::to_integer<int>(kNoGap), line.size());
  assert(stop != nullptr);
  return static_cast<std::size_t>(static_cast<const std::byte*>(stop) - line.data()) + 1;
}

Record restore_newlines(std::span<std::byte> line) {
  const std::span<std::byte> record = line.subspan(record_offset(line));
  std::byte* at = record.data();
  for (const std::byte* gap = line.data(); *gap != kNoGap;) {
    at += read_gap(gap);
    *at++ = std::byte('\n');
  }
  return record;
}

}  // namespace sortie
