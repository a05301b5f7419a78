// JSON values, and their texts in both directions. Sources call these functions in place of the library's templates,
// which take a compiler seconds in each of them.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace sortie {

/// Its objects keep the order of their members. Its destructor takes memory, some bytes for each member: where there is
/// none, it ends the process, which the command says (cli/main.cpp). In a program that uses the library, or Python, the
/// handler of that belongs to others, so values are few and small there: reports, traces, lists of parts and shards.
using Json = nlohmann::ordered_json;

/// Throws Json::parse_error if the text is no JSON.
Json parse_json(std::string_view text);

/// On one line. Bytes that are no UTF-8 are replaced.
std::string json_text(const Json& json);

/// On lines that are indented by two blanks for each level. Bytes that are no UTF-8 are replaced.
std::string indented_json_text(const Json& json);

}  // namespace sortie
