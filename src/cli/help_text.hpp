// What --help and --version print.
#pragma once

#include <string>
#include <string_view>

namespace sortie::cli {

/// At most 100 columns wide. `program` as called.
std::string help_text(std::string_view program);
std::string version_text();

}  // namespace sortie::cli
