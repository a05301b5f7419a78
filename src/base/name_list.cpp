#include "base/name_list.hpp"

#include <algorithm>

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
  return list_of_names(names.size(), [&](std::size_t i) -> std::string_view { return names[i]; });
}

std::string list_of_names(std::size_t count, const std::function<std::string_view(std::size_t)>& name) {
  std::string list = count == 0 ? "none" : "";
  const std::size_t listed = std::min(count, kMostListedNames);
  for (std::size_t i = 0; i < listed; ++i) {
    list.append(i == 0 ? "" : ", ").append(quote_word(cut(name(i), kMostNameBytes)));
  }
  if (count > listed) list += " and " + std::to_string(count - listed) + " more";
  return list;
}

std::string shortened(std::string_view text) { return cut(text, kMostTextBytes); }

}  // namespace sortie
