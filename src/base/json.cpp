#include "base/json.hpp"

namespace sortie {
namespace {

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json parse_json(std::string_view text) { return Json::parse(text); }

std::string json_text(const Json& json) { return text_of(json, -1); }

std::string indented_json_text(const Json& json) { return text_of(json, 2); }

}  // namespace sortie
