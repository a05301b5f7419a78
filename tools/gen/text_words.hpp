// Made-up text for the line and log sources: words, fixed-width letters that keep an order, decimal numbers.
#pragma once

#include <cstdint>
#include <string>

#include "tools/gen/mix.hpp"

namespace sortie::tools {

/// Appends a word of 2 to 12 letters, some far more often than others.
void append_word(MixStream& random, std::string& text);

/// Appends 14 lower-case letters whose order is the order of the codes.
void append_ordered_letters(std::uint64_t code, std::string& text);

/// Appends 16 hexadecimal digits whose order is the order of the codes.
void append_hex(std::uint64_t code, std::string& text);

/// Appends the decimal digits of `number`, with leading zeros up to `width`.
void append_decimal(std::uint64_t number, std::size_t width, std::string& text);

}  // namespace sortie::tools
