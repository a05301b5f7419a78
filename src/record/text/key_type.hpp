// Parses what stands behind the position of a key: its type and direction. Shared by all ways to write keys.
#pragma once

#include <string_view>

#include <sortie/text_keys.hpp>

namespace sortie {

/// Parses all of `rest`, `[:TYPE][:desc]`, into `options`. TYPE is made of letters of ordering options, or is
/// `time[(FORMAT)]`. Throws Error that names `whole`, the key, and shows `syntax`.
void parse_key_type(std::string_view rest, std::string_view whole, const char* syntax, OrderingOptions& options);

}  // namespace sortie
