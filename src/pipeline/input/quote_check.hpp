// Refuses inputs whose quotes make no sense, by file, line and column. Called where records of CSV are read: for
// headers, for pieces of an input, and at its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "record/csv/quoted_records.hpp"

namespace sortie {

/// Throws Error that names the first position in `bytes`, which begin with a record, where something follows a closing
/// quote that may not; or, if the input ends with them, the quote that no other closes. Does nothing if there is
/// neither. Goes byte by byte. `input`: a name of it for messages. `lines_before`: lines in front of `bytes`.
void refuse_quote_fault(std::span<const std::byte> bytes, CsvSyntax syntax, bool at_end, const std::string& input,
                        std::uint64_t lines_before);

}  // namespace sortie
