// What --help and --version print. Manual page and completions are written at build time, by --help=man and so on, and
// installed. All are made of the catalogue of options.
#pragma once

#include <string>
#include <string_view>

namespace sortie::cli {

/// The help text, at most 100 columns wide. `program`: the name as called.
std::string help_text(std::string_view program);
std::string version_text();

/// The page in the man macros of roff.
std::string manual_page();

/// Scripts with which shells complete the command's options and their values.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace sortie::cli
