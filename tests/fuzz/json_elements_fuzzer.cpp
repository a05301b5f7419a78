// Takes any text as a JSON document. What another parser takes for an array gives its elements, each on a line; the
// lines do not depend on the pieces that the document comes in; and a document of which elements are made, all of them
// JSON, is an array.
//
//   | length of a piece | text |
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "fuzz/fuzz_target.hpp"
#include "record/json/json_elements.hpp"

namespace sortie {
namespace {

using fuzz::require;
using Json = nlohmann::json;

/// The lines; nothing if the document is damaged.
std::optional<std::string> lines_of(std::string_view document, std::size_t piece_bytes) {
  JsonElements elements;
  std::string lines;
  while (!document.empty()) {
    const std::string_view piece = document.substr(0, piece_bytes);
    const std::size_t before = lines.size();
    if (!elements.take(piece, lines)) return std::nullopt;
    require(lines.size() - before <= piece.size() + JsonElements::kMostHeldBytes, "lines are hardly longer");
    document.remove_prefix(piece.size());
  }
  return elements.finish() ? std::optional(lines) : std::nullopt;
}

/// The lines as JSON; nothing if one of them is none.
std::optional<Json> array_of(std::string_view lines) {
  Json array = Json::array();
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() + 1);
    array.push_back(Json::parse(line, nullptr, false));
    if (array.back().is_discarded()) return std::nullopt;
  }
  return array;
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sortie;
  if (size == 0) return 0;
  const std::string_view document(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto lines = lines_of(document, std::max<std::size_t>(1, document.size()));
  require(lines == lines_of(document, 1 + data[0] % 64), "pieces do not matter");
  // The other parser passes over byte order marks, and ends at NUL.
  if (document.find("\xEF\xBB\xBF") != document.npos || document.find('\0') != document.npos) return 0;
  const Json expected = Json::parse(document, nullptr, false);
  const bool is_array = !expected.is_discarded() && expected.is_array();
  const auto found = lines ? array_of(*lines) : std::nullopt;
  require(is_array == found.has_value(), "it is an array, or none");
  require(!is_array || *found == expected, "elements are those of the array");
  return 0;
}
