#include "formats/tokens/token_type.hpp"

#include <algorithm>
#include <array>

namespace sortie::formats::tokens {
namespace {

// Codes: megatron/core/datasets/indexed_dataset.py, DType. 6 and 7 are floating-point numbers, which are no tokens.
constexpr std::array kTypes = std::to_array<TokenType>({
    {"u8", 1, "|u1", 1},
    {"i8", 1, "|i1", 2},
    {"u16", 2, "<u2", 8},
    {"i16", 2, "<i2", 3},
    {"u32", 4, "<u4", 0},
    {"i32", 4, "<i4", 4},
    {"u64", 8, "<u8", 0},
    {"i64", 8, "<i8", 5},
});

template <class Fits>
const TokenType* find_type(const Fits& fits) {
  const auto* const found = std::ranges::find_if(kTypes, fits);
  return found == kTypes.end() ? nullptr : found;
}

}  // namespace

std::span<const TokenType> token_types() { return kTypes; }

const TokenType* type_of_name(std::string_view name) {
  return find_type([&](const TokenType& type) { return type.name == name; });
}

const TokenType* type_of_npy(std::string_view description) {
  return find_type([&](const TokenType& type) {
    const bool is_byte = type.bytes == 1 && description.size() == 3;
    return is_byte ? type.npy.substr(1) == description.substr(1) : type.npy == description;
  });
}

const TokenType* type_of_megatron(std::uint8_t code) {
  return find_type([&](const TokenType& type) { return code != 0 && type.megatron_code == code; });
}

}  // namespace sortie::formats::tokens
