// Bytes as text of 64 letters, RFC 4648: four for every three bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sortie {

std::string to_base64(std::string_view bytes);

/// Nothing if the text is none, padding included.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace sortie
