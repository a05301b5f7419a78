// Whether an input that begins like packed data, or like a table, is one, and not records that look like it: by its
// name, by its end, or because it can be unpacked. Used by open_input().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "io/input/compression_format.hpp"

namespace sortie {

/// Bytes at the begin of an input that can_be_unpacked() looks at.
inline constexpr std::size_t kTrialBytes = 64 << 10;

/// Unpacks `begin`, whose magic is that of `format`. True if this gives a few KiB or comes to the end of `begin`
/// without an error. `is_whole`: nothing follows; then what is short must end where packed data does. False for kNone.
bool can_be_unpacked(CompressionFormat format, std::span<const std::byte> begin, bool is_whole);

/// Whether `begin`, the first kArchiveMagicBytes of an input or all of a shorter one, is a text in ASCII. The magic of
/// bzip2 is, too, but not what follows it.
bool is_ascii_text(std::span<const std::byte> begin);

/// Bytes at the end of a Parquet file: the length of its footer, and a mark.
inline constexpr std::size_t kTableEndBytes = 8;

/// Whether recognise_encrypted_table() is to be asked.
bool may_be_encrypted_table(std::span<const std::byte> leading);

/// An encrypted Parquet file of `bytes` that begins with `leading` and ends in `ending`, kTableEndBytes. The mark at
/// its begin is four letters, with which a text may begin, too.
std::optional<ForeignFormat> recognise_encrypted_table(std::span<const std::byte> leading,
                                                       std::span<const std::byte> ending, std::uint64_t bytes);

/// Whether the name of an input ends in the suffix of a packed format, an archive or a table, in any case of letters.
bool is_named_as_packed(std::string_view path);

/// Whether it is still one without its suffix, as "x.tar.gz" and "x.gz.gz", or says the same in one, as "x.tgz".
bool is_packed_twice_by_name(std::string_view path);

}  // namespace sortie
