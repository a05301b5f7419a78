// Scripts with which shells complete the command's options and their values, made from the same table as the help text.
// Written at build time by --help=bash and so on, and installed where the shells look for them.
#pragma once

#include <string>

namespace sortie::cli {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace sortie::cli
