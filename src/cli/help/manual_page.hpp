// The manual page, from the same table as the help text. Written at build time by --help=man, and installed.
#pragma once

#include <string>

namespace sortie::cli {

/// The page in the man macros of roff.
std::string manual_page();

}  // namespace sortie::cli
