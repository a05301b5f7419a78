// Refuses text that is not what the readers of tables, JSON and times take it for: UTF-16, lines that end in a carriage
// return alone, and quotes that make no sense. Called where headers are read, and records of CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "record/csv/quoted_records.hpp"

namespace sortie {

/// Throws Error if `begin`, the first bytes of an input, is the mark of UTF-16.
void refuse_wide_text(const std::string& path, std::span<const std::byte> begin);

/// Throws Error if a carriage return stands within `records`, the first ones of an input of CSV, outside of quotes.
void refuse_bare_returns(const std::string& path, std::span<const std::byte> records, bool has_quotes);

/// Throws Error that names the first position in `bytes`, which begin with a record, where something follows a closing
/// quote that may not; or, if the input ends with them, the quote that no other closes. Does nothing if there is
/// neither. Goes byte by byte. `input`: a name of it for messages. `lines_before`: lines in front of `bytes`.
void refuse_quote_fault(std::span<const std::byte> bytes, CsvSyntax syntax, bool at_end, const std::string& input,
                        std::uint64_t lines_before);

}  // namespace sortie
