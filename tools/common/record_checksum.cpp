#include "tools/common/record_checksum.hpp"

#include <libdeflate.h>

#include <sortie/error.hpp>

#include "base/checksum.hpp"
#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "record/record_scan.hpp"

namespace sortie::tools {
namespace {

constexpr std::size_t kWordDigits = 16;

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
  const auto low = whole_number<std::uint64_t>(text.substr(high_digits), 16);
  const auto high = whole_number<std::uint64_t>(high_digits == 0 ? "0" : text.substr(0, high_digits), 16);
  if (text.size() > 2 * kWordDigits || !low || !high) {
    throw Error("checksum '" + escape_unprintable(text) + "' is not a hexadecimal number of 1 to 32 digits");
  }
  return {*low, *high};
}

}  // namespace sortie::tools
