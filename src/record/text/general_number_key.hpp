// Keys of numbers as strtold() reads them (-g): decimal with exponent, hexadecimal, infinities and NaNs. The key writer
// calls it for each key of this kind.
#pragma once

#include <string>
#include <string_view>

#include "record/collation/collated_text.hpp"
#include "record/text/number_key.hpp"
#include "record/text/text_locale.hpp"

namespace sortie {

/// Appends bytes to `out` whose memcmp order is: text that is no number (all equal), NaNs by their bytes in memory,
/// then the values from -infinity to +infinity, -0 equal to +0. Leading white space and what follows the number do not
/// count. None of the bytes is 0, 1 or '\n'. Thread-safe. Time: linear in `text`.
void append_general_number_key(std::string_view text, const LocaleHandle& locale, std::string& out);

/// How much of `text` is the number, or NaN, that its key is of.
NumberExtent extent_of_general_number(std::string_view text, const TextLocale& locale);

}  // namespace sortie
