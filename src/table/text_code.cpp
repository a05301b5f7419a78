#include "table/text_code.hpp"

#include "base/bytes.hpp"

namespace sortie::table {
namespace {

constexpr unsigned kFirstNull = 0x02;
constexpr unsigned kEnd = 0x03;
constexpr unsigned kLowLead = 0x04;
constexpr unsigned kHighLead = 0xFE;
constexpr unsigned kLastNull = 0xFF;

constexpr std::uint64_t every(unsigned byte) { return 0x0101010101010101U * byte; }

/// Bytes of `word` that are zero, as their highest bits; the lowest one is exact.
constexpr std::uint64_t zeros(std::uint64_t word) { return (word - every(1)) & ~word & every(0x80); }

/// Whether a byte of a text needs two.
constexpr bool is_escaped(unsigned byte) { return byte <= kLowLead || byte >= kHighLead; }

constexpr bool has_escaped(std::uint64_t word) {
  const std::uint64_t low = (word - every(kLowLead + 1)) & ~word & every(0x80);
  return (low | zeros((word | every(1)) ^ every(0xFF))) != 0;
}

/// Whether a byte of a code, without complement, is no byte of the text.
constexpr bool has_mark(std::uint64_t word) {
  return (zeros(word ^ every(kEnd)) | zeros(word ^ every(kLowLead)) | zeros(word ^ every(kHighLead))) != 0;
}

}  // namespace

TextCode::TextCode(bool descending, bool nulls_first)
    : complement(descending ? ~std::uint64_t{0} : 0),
      null(static_cast<std::byte>((nulls_first != descending ? kFirstNull : kLastNull) ^ (complement & 0xFF))) {}

std::size_t TextCode::measure(std::string_view text) const {
  std::size_t escapes = 0;
  for (const char byte : text) escapes += is_escaped(static_cast<unsigned char>(byte)) ? 1 : 0;
  return text.size() + escapes + 1;
}

std::byte* TextCode::encode(std::string_view text, std::byte* out) const {
  const auto mask = static_cast<unsigned>(complement & 0xFF);
  const auto put = [&](unsigned byte) { *out++ = static_cast<std::byte>(byte ^ mask); };
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= 8) {
      const auto word = load_as<std::uint64_t>(text.data() + at);
      if (!has_escaped(word)) [[likely]] {
        store_as(out, word ^ complement);
        out += 8;
        at += 8;
        continue;
      }
    }
    const auto byte = static_cast<unsigned char>(text[at++]);
    if (is_escaped(byte)) {
      put(byte <= kLowLead ? kLowLead : kHighLead);
      put(byte <= kLowLead ? byte + kLowLead + 1 : byte);
    } else {
      put(byte);
    }
  }
  put(kEnd);
  return out;
}

const std::byte* TextCode::decode(const std::byte* code, const std::byte* end, std::byte*& out) const {
  const auto mask = static_cast<unsigned>(complement & 0xFF);
  while (code < end) {
    if (end - code >= 8) {
      const std::uint64_t word = load_as<std::uint64_t>(code) ^ complement;
      if (!has_mark(word)) [[likely]] {
        store_as(out, word);
        out += 8;
        code += 8;
        continue;
      }
    }
    const unsigned byte = std::to_integer<unsigned>(*code++) ^ mask;
    if (byte == kEnd) break;
    if ((byte == kLowLead || byte == kHighLead) && code < end) {
      const unsigned second = std::to_integer<unsigned>(*code++) ^ mask;
      *out++ = static_cast<std::byte>(byte == kLowLead ? second - kLowLead - 1 : second);
    } else {
      *out++ = static_cast<std::byte>(byte);
    }
  }
  return code;
}

}  // namespace sortie::table
