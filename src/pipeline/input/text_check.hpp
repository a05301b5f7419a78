// Text that is not what the readers of tables, JSON and times take it for: UTF-16, and lines that end in a carriage
// return alone. Readers of headers refuse it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sortie {

/// Throws Error if `begin`, the first bytes of an input, is the mark of UTF-16.
void refuse_wide_text(const std::string& path, std::span<const std::byte> begin);

/// Throws Error if a carriage return stands within `records`, the first ones of an input of CSV, outside of quotes.
void refuse_bare_returns(const std::string& path, std::span<const std::byte> records, bool has_quotes);

}  // namespace sortie
