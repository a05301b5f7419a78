#include "table/curve/curve_column.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "table/array_parts.hpp"
#include "table/column_data.hpp"

namespace sortie::table {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

CellKind kind_of(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (format == "l") return CellKind::kSigned;
  if (format == "L") return CellKind::kUnsigned;
  if (format == "g") return CellKind::kFloat;
  if (format == "Z") return CellKind::kText;
  throw Error("a curve takes no column of the format '" + std::string(format) + "'");
}

/// Integers of either kind as unsigned ones.
struct Integers {
  const std::byte* buffer;
  std::uint64_t sign;

  std::uint64_t operator()(std::int64_t position) const {
    return load_as<std::uint64_t>(buffer + 8 * static_cast<std::size_t>(position)) ^ sign;
  }
};

struct Floats {
  const std::byte* buffer;

  double operator()(std::int64_t position) const {
    return load_as<double>(buffer + 8 * static_cast<std::size_t>(position));
  }
};

/// The cells of values, of `steps` + 1.
struct Steps {
  std::uint32_t steps;

  std::uint32_t at(double share) const {
    return static_cast<std::uint32_t>(std::clamp(share * steps, 0.0, static_cast<double>(steps)));
  }
};

/// How many of the bounds are below a value. Without branches, which random values would have guessed wrong.
template <class Bound, class Value>
std::size_t count_below(const std::vector<Bound>& bounds, const Value& value) {
  const Bound* first = bounds.data();
  std::size_t count = bounds.size();
  while (count > 1) {
    const std::size_t half = count / 2;
    first += first[half - 1] < value ? half : 0;
    count -= half;
  }
  return static_cast<std::size_t>(first - bounds.data()) + (*first < value ? 1 : 0);
}

/// By the rank of a value among the bounds.
template <class Bounds>
struct RankedCells {
  const Bounds& bounds;
  Steps cells;

  template <class Value>
  std::uint32_t operator()(const Value& value) const {
    return static_cast<std::uint32_t>(std::uint64_t{cells.steps} * count_below(bounds, value) / bounds.size());
  }
};

/// By the place of an integer in their range.
struct IntegerCells {
  std::uint64_t least;
  std::uint64_t greatest;
  Steps cells;

  std::uint32_t operator()(std::uint64_t value) const {
    if (value <= least) return 0;
    if (value >= greatest) return cells.steps;
    return cells.at(static_cast<double>(value - least) / static_cast<double>(greatest - least));
  }
};

struct FloatCells {
  double least;
  double greatest;
  Steps cells;

  std::uint32_t operator()(double value) const {
    if (value <= least) return 0;
    if (value >= greatest) return cells.steps;
    // Halves, since the difference of large numbers may be beyond all.
    return cells.at((value / 2 - least / 2) / (greatest / 2 - least / 2));
  }
};

/// By the first bytes behind those that all texts in the range begin with.
class TextCells {
 public:
  TextCells(std::string_view least, std::string_view greatest, Steps cells)
      : least_(least),
        greatest_(greatest),
        skipped_(common(least, greatest)),
        numbers_{number(least), number(greatest), cells} {}

  std::uint32_t operator()(std::string_view text) const {
    if (text <= least_) return 0;
    if (text >= greatest_) return numbers_.cells.steps;
    return numbers_(number(text));
  }

 private:
  static std::size_t common(std::string_view one, std::string_view other) {
    const std::size_t most = std::min(one.size(), other.size());
    return static_cast<std::size_t>(
        std::mismatch(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(most), other.begin()).first - one.begin());
  }
  std::uint64_t number(std::string_view text) const {
    const std::string_view rest = text.substr(skipped_, 8);
    return load_big_padded(reinterpret_cast<const std::byte*>(rest.data()), rest.size());
  }

  std::string_view least_;
  std::string_view greatest_;
  std::size_t skipped_;
  IntegerCells numbers_;
};

struct Range {
  const ArrowArray& values;
  std::size_t first;
  std::size_t count;
};

/// Calls cell_of(position) for each value that is not null.
template <class CellOf>
void write_each(const Range& range, std::uint32_t null_cell, std::uint32_t* cells, const CellOf& cell_of) {
  const std::byte* const valid = range.values.null_count != 0 ? buffer_of(range.values, 0) : nullptr;
  std::int64_t position = range.values.offset + static_cast<std::int64_t>(range.first);
  for (std::size_t i = 0; i < range.count; ++i, ++position) {
    cells[i] = valid != nullptr && !bit_at(valid, position) ? null_cell : cell_of(position);
  }
}

/// Cells of values as they lie between those of nulls and of NaN.
struct Placing {
  std::uint32_t top;
  bool descending;

  std::uint32_t operator()(std::uint32_t cell) const { return descending ? top - 1 - cell : cell + 1; }
  std::uint32_t of_nan() const { return descending ? 1 : top - 1; }
};

/// Calls use() with what gives the cell of a value.
template <class Ranged, class Bounds, class Use>
void visit_cells(bool by_rank, const Bounds& bounds, Steps cells, const Use& use) {
  if (bounds.empty()) return use([](const auto&) { return std::uint32_t{0}; });
  if (by_rank) return use(RankedCells<Bounds>{bounds, cells});
  use(Ranged{bounds.front(), bounds.back(), cells});
}

}  // namespace

CurveColumn::CurveColumn(const ArrowSchema& schema, const ArrowArray& bounds, const CurveColumnOptions& options)
    : kind_(kind_of(schema)), options_(options) {
  for (std::int64_t i = bounds.offset; i < bounds.offset + bounds.length; ++i) {
    if (kind_ == CellKind::kFloat) {
      float_bounds_.push_back(Floats{buffer_of(bounds, 1)}(i));
    } else if (kind_ == CellKind::kText) {
      text_bounds_.emplace_back(OffsetTexts<std::int64_t>(bounds)(i));
    } else {
      number_bounds_.push_back(Integers{buffer_of(bounds, 1), kind_ == CellKind::kSigned ? kSign : 0}(i));
    }
  }
}

void CurveColumn::require_type(const ArrowSchema& schema) const {
  if (kind_of(schema) != kind_) throw Error("a column of a curve is not of the type of its bounds");
}

void CurveColumn::write_cells(const ArrowArray& values, std::size_t first, std::size_t count, unsigned bits,
                              std::uint32_t* cells) const {
  const auto top = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  const std::uint32_t null_cell = options_.nulls_first ? 0 : top;
  const Placing place{top, options_.descending};
  const Range range{values, first, count};
  const Steps steps{top - 3};
  if (kind_ == CellKind::kText) {
    const OffsetTexts<std::int64_t> texts(values);
    return visit_cells<TextCells>(options_.by_rank, text_bounds_, steps, [&](const auto& cell) {
      write_each(range, null_cell, cells, [&](std::int64_t i) { return place(cell(texts(i))); });
    });
  }
  if (kind_ == CellKind::kFloat) {
    const Floats floats{buffer_of(values, 1)};
    return visit_cells<FloatCells>(options_.by_rank, float_bounds_, steps, [&](const auto& cell) {
      write_each(range, null_cell, cells, [&](std::int64_t i) {
        const double value = floats(i);
        return std::isnan(value) ? place.of_nan() : place(cell(value));
      });
    });
  }
  const Integers integers{buffer_of(values, 1), kind_ == CellKind::kSigned ? kSign : 0};
  visit_cells<IntegerCells>(options_.by_rank, number_bounds_, steps, [&](const auto& cell) {
    write_each(range, null_cell, cells, [&](std::int64_t i) { return place(cell(integers(i))); });
  });
}

}  // namespace sortie::table
