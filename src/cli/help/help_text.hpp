// What --help and --version print, and the manual page, all from the catalogue of options. The page is written at build
// time by --help=man, and installed.
#pragma once

#include <string>
#include <string_view>

namespace sortie::cli {

/// The help text, at most 100 columns wide. `program`: the name as called.
std::string help_text(std::string_view program);
std::string version_text();

/// The page in the man macros of roff.
std::string manual_page();

}  // namespace sortie::cli
