// Prints a tool's output. A failing write is an error, so that nobody takes a part of a report for the whole. Called
// by the tools' main files and by the parser of their command lines.
#pragma once

#include <cstdio>
#include <string_view>

namespace sortie::tools {

/// Writes all of `text` to `stream`, standard output or standard error, and flushes it. Throws Error. Output to a
/// closed standard error is dropped.
void print(std::FILE* stream, std::string_view text);

}  // namespace sortie::tools
