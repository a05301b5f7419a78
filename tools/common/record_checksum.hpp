// The checksum that gensort and valsort print: the sum modulo 2^128 of the CRC-32 of every record. It does not
// depend on the order of the records, so it is the same before and after a sort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <sortie/report.hpp>

#include "record/layout.hpp"

namespace sortie::tools {

/// zlib's CRC-32 of one record, its delimiter included.
std::uint32_t record_crc32(std::span<const std::byte> record);

/// The sum of record_crc32() over whole records.
Checksum record_checksum(const Layout& layout, std::span<const std::byte> records);

/// Formats a checksum as gensort does: lower-case hexadecimal without leading zeros.
std::string checksum_to_hex(const Checksum& checksum);

/// The inverse of checksum_to_hex(). Throws Error naming the text.
Checksum checksum_from_hex(std::string_view text);

}  // namespace sortie::tools
