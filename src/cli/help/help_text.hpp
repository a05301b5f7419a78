// What --help and --version print.
#pragma once

#include <string>
#include <string_view>

namespace sortie::cli {

/// The help text, at most 100 columns wide. `program`: the name as called.
std::string help_text(std::string_view program);
std::string version_text();

// The manual page, from the same table as the help text. Written at build time by --help=man, and installed.

/// The page in the man macros of roff.
std::string manual_page();

}  // namespace sortie::cli
