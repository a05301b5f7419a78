// Letters of ASCII in lower case, whatever the locale. For names of files, of which the system knows no letters.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace sortie {

inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return lower;
}

}  // namespace sortie
