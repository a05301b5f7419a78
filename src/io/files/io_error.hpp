// Messages about files: one line, as GNU sort words it, that names the file, the system's reason and the remedy. Used
// by everything in src/io and by the file systems that tests make fail.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sortie {

/// What a file is to the sort: decides which remedy helps.
enum class FileRole : std::uint8_t { kInput, kOutput, kScratch, kCheckpoint };

/// "cannot <action> <object>: <reason of error_number>", and "; <remedy>" where there is one. "open", "read" and
/// "write" are worded as in GNU sort: "<action> failed: ...", or "cannot read: ..." of an input that is not there or
/// may not be read.
std::string io_message(std::string_view action, std::string_view object, int error_number, FileRole role);

/// Throws SystemFileError with io_message().
[[noreturn]] void throw_io_error(std::string_view action, std::string_view object, int error_number, FileRole role);

}  // namespace sortie
