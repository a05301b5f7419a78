#include "record/csv/quote_scanner.hpp"

#include <array>
#include <cstring>

#include "record/text/byte_blocks.hpp"

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

}  // namespace sortie
