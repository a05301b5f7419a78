// What a tool prints. A write that fails is an error: who reads a report must not take a part of it for all. Called by
// the tools' main files and by the parser of their command lines.
#pragma once

#include <cstdio>
#include <string_view>

namespace sortie::tools {

/// Writes all of `text` to `stream`, standard output or standard error, and flushes it. Throws Error. A standard error
/// that is closed takes everything.
void print(std::FILE* stream, std::string_view text);

}  // namespace sortie::tools
