#include "tools/common/record_checksum.hpp"

#include <charconv>

#include <libdeflate.h>

#include <sortie/error.hpp>

#include "base/checksum.hpp"
#include "base/quote.hpp"
#include "record/record_scan.hpp"

namespace sortie::tools {
namespace {

constexpr std::size_t kWordDigits = 16;

bool parse_word(std::string_view text, std::uint64_t& word) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), word, 16);
  return failure == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::uint32_t record_crc32(std::span<const std::byte> record) {
  return libdeflate_crc32(0, record.data(), record.size());
}

Checksum record_checksum(const Layout& layout, std::span<const std::byte> records) {
  Checksum sum;
  for_each_record(layout, records, [&](const std::byte* record, std::uint64_t stored) {
    sum += Checksum{record_crc32({record, static_cast<std::size_t>(stored)}), 0};
  });
  return sum;
}

std::string checksum_to_hex(const Checksum& checksum) {
  const std::string digits = to_string(checksum);
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

Checksum checksum_from_hex(std::string_view text) {
  const std::size_t high_digits = text.size() > kWordDigits ? text.size() - kWordDigits : 0;
  Checksum checksum;
  const bool valid = text.size() <= 2 * kWordDigits && parse_word(text.substr(high_digits), checksum.low) &&
                     (high_digits == 0 || parse_word(text.substr(0, high_digits), checksum.high));
  if (!valid) throw Error("checksum '" + escape_unprintable(text) + "' is not a hexadecimal number of 1 to 32 digits");
  return checksum;
}

}  // namespace sortie::tools
