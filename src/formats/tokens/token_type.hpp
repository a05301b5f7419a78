// The integers that tokens are in files of training data, and how each format names them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sortie::formats::tokens {

struct TokenType {
  std::string_view name;  ///< "u16"
  std::size_t bytes;
  std::string_view npy;        ///< in headers of .npy files: "<u2"
  std::uint8_t megatron_code;  ///< in indexes of Megatron; 0: it has none
};

/// All of them. Numbers are little-endian.
std::span<const TokenType> token_types();

const TokenType* type_of_name(std::string_view name);
/// `description`: "<u2", and for single bytes also "|u1".
const TokenType* type_of_npy(std::string_view description);
const TokenType* type_of_megatron(std::uint8_t code);

}  // namespace sortie::formats::tokens
