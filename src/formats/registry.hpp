// All formats of files: a line each.
#pragma once

#include <span>
#include <string_view>

#include "formats/file_format.hpp"

namespace sortie::formats {

std::span<const FileFormat> registry();

/// The format of this name; null if there is none.
const FileFormat* find_format(std::string_view name);

/// The first format that `begin` belongs to; null if it is of none.
const FileFormat* format_of(const FileBegin& begin);

/// The format whose files are called so; null if there is none.
const FileFormat* format_called(std::string_view path);

}  // namespace sortie::formats
