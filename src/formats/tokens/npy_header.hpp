// The header of a .npy file: NEP 1 of NumPy, versions 1 to 3. Called by the reader and the writer of token files.
//
//   93 "NUMPY" │ version, 2 bytes │ length, 2 or 4 bytes │ {'descr': '<u2', 'fortran_order': False, 'shape': (3,), }\n
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "formats/tokens/token_type.hpp"

namespace sortie::formats::tokens {

struct NpyHeader {
  const TokenType* type = nullptr;
  std::uint64_t rows = 0;
  std::optional<std::uint64_t> columns = {};  ///< none: the array has one dimension
  std::uint64_t header_bytes = 0;             ///< offset of the first number
};

/// Longer headers are refused: none that NumPy writes for numbers comes near.
inline constexpr std::size_t kMostNpyHeaderBytes = 64 << 10;

bool begins_npy(std::span<const std::byte> begin);

/// `begin`: of a file of `file_bytes`, kMostNpyHeaderBytes or all of it. Throws Error with `path` for a header that is
/// damaged or of another version, for an array of anything but integers, in more than two dimensions or by columns, and
/// for a file that has not the bytes that its header says.
NpyHeader read_npy_header(std::span<const std::byte> begin, std::uint64_t file_bytes, const std::string& path);

/// The same as bytes; NumPy aligns them to 64.
std::string npy_header_text(const NpyHeader& header);

}  // namespace sortie::formats::tokens
