// Messages about files: one line that names the file, the system's reason and the remedy. Used by
// everything in src/io and by the file systems that tests make fail.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sortie {

/// What a file is to the sort: decides which remedy helps.
enum class FileRole : std::uint8_t { kInput, kOutput, kScratch };

/// 'path' in quotes; control characters as \n, \t, \x1b, so that a name can neither break the line nor
/// steer a terminal.
std::string quote_path(std::string_view path);

/// "cannot <action> <object>: <reason of error_number>", and "; <remedy>" where there is one.
std::string io_message(std::string_view action, std::string_view object, int error_number, FileRole role);

/// Throws Error with io_message().
[[noreturn]] void throw_io_error(std::string_view action, std::string_view object, int error_number, FileRole role);

}  // namespace sortie
