// A column as a coordinate of a curve: each value becomes the number of a cell, in the order of the values. The cells
// divide the range of the values evenly, or by quantiles of a sample.
//
//   0                     nulls, if they come first
//   1 ... top - 2         values; flipped where the column falls
//   top - 1               NaN, which is the greatest value
//   top = 2^bits - 1      nulls, if they come last
#pragma once

#include <sortie/curve_keys.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sortie::table {

enum class CellKind { kSigned, kUnsigned, kFloat, kText };

class CurveColumn {
 public:
  /// bounds: an array of int64, uint64, double or large binary without nulls, in ascending order and without NaN: the
  /// least and the greatest value, or quantiles if by rank. Values beyond them are in the first cell and in the last
  /// one. No bounds: all values are in one cell. Throws Error for other types.
  CurveColumn(const ArrowSchema& schema, const ArrowArray& bounds, const CurveColumnOptions& options);

  /// Throws Error unless arrays of this type are of the type of the bounds.
  void require_type(const ArrowSchema& schema) const;

  /// Writes the cells of the values from `first` on. Takes the time of a binary search for each value if by rank.
  void write_cells(const ArrowArray& values, std::size_t first, std::size_t count, unsigned bits,
                   std::uint32_t* cells) const;

 private:
  CellKind kind_;
  CurveColumnOptions options_;
  std::vector<std::uint64_t> number_bounds_;  // as unsigned integers in their order
  std::vector<double> float_bounds_;
  std::vector<std::string> text_bounds_;
};

}  // namespace sortie::table
