// Keys of a space-filling curve for rows of tables: rows that are near each other in several columns come near each
// other when they are sorted by such keys. And the boxes of geometries, whose centres can be points on a curve. Columns
// come in the Arrow C data interface. For the package's sort_table(curve=...).
#pragma once

#include <sortie/arrow_c_data.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sortie {

/// kZ interleaves the bits of the columns. kHilbert never jumps, so that fewer ranges of keys cover a box.
enum class Curve : std::uint8_t { kZ, kHilbert };

/// How a column becomes a coordinate.
struct CurveColumnOptions {
  bool by_rank = false;  ///< among the bounds; else by the place between the first bound and the last one
  bool descending = false;
  bool nulls_first = false;  ///< nulls are beyond all values, and NaN is the greatest value
};

class CurveKeys {
 public:
  static constexpr std::size_t kMostColumns = 8;

  /// threads: 1 at least.
  CurveKeys(Curve curve, unsigned threads);
  ~CurveKeys();

  /// Adds a column: the first counts most. bounds: int64, uint64, double or large binary, in ascending order, without
  /// nulls and NaN. Values beyond them are in the first cell and in the last one. Throws Error for other types.
  void add_column(const ArrowSchema& schema, const ArrowArray& bounds, const CurveColumnOptions& options);

  /// The words of a key: the first counts most. Precondition: 2 to kMostColumns columns have been added.
  std::size_t words() const;

  /// Throws Error unless a column of this type may be the one of this number.
  void require_type(std::size_t column, const ArrowSchema& schema) const;

  /// Writes the keys of all rows. columns: arrays of one length, one for each column that was added. words: an array
  /// for each of words(). Parallel; calls must not overlap.
  void write(std::span<const ArrowArray* const> columns, std::span<std::uint64_t* const> words);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The boxes of geometries, as xmin, ymin, xmax, ymax of each row.
struct BoxColumns {
  double* bounds[4];
  std::uint8_t* valid;  ///< a byte for each row: 0 for null and empty geometries, which have no box
};

struct DamagedGeometry {
  std::int64_t row;
  std::string reason;
};

/// Finds the boxes of geometries in well-known binary, with z and m by ISO's numbers or EWKB's flags, in an array of
/// large binary. NaN is no coordinate. Returns the first row that is damaged or of a type beyond GeoParquet's, behind
/// which nothing is written.
std::optional<DamagedGeometry> write_boxes(const ArrowArray& geometries, const BoxColumns& boxes);

}  // namespace sortie
