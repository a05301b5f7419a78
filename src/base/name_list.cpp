#include "base/name_list.hpp"

#include <algorithm>
#include <cstddef>

#include "base/quote.hpp"

namespace sortie {
namespace {

constexpr std::size_t kMostListedNames = 20;
constexpr std::size_t kMostNameBytes = 40;
constexpr std::size_t kMostTextBytes = 400;

std::string cut(std::string_view text, std::size_t most_bytes) {
  return std::string(text.substr(0, most_bytes)) + (text.size() > most_bytes ? "..." : "");
}

}  // namespace

std::string list_of_names(std::span<const std::string> names) {
  std::string list = names.empty() ? "none" : "";
  const std::size_t listed = std::min(names.size(), kMostListedNames);
  for (std::size_t i = 0; i < listed; ++i) {
    list.append(i == 0 ? "" : ", ").append(quote_word(cut(names[i], kMostNameBytes)));
  }
  if (names.size() > listed) list += " and " + std::to_string(names.size() - listed) + " more";
  return list;
}

std::string shortened(std::string_view text) { return cut(text, kMostTextBytes); }

}  // namespace sortie
