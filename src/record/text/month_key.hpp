// Keys of months (-M): what begins, behind blanks and in either case, with the abbreviated name of a month. The line
// decorator writes them.
#pragma once

#include <cstddef>
#include <string_view>

#include "record/text/text_locale.hpp"

namespace sortie {

/// One byte from 0x10 to 0xF0: less for what is no month than for January, and so on to December.
std::byte month_key(std::string_view text, const TextLocale& locale);

}  // namespace sortie
