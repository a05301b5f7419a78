// Boxes of geometries in well-known binary: ISO 19125 and OGC 06-103r4, and PostGIS' EWKB with its flags.
#include <sortie/curve_keys.hpp>

#include <bit>
#include <limits>
#include <string_view>

#include "base/bytes.hpp"
#include "table/array_parts.hpp"
#include "table/column_data.hpp"

namespace sortie {
namespace {

constexpr unsigned kMostDepth = 64;
constexpr std::uint32_t kHasZ = 0x80000000, kHasM = 0x40000000, kHasSrid = 0x20000000;
constexpr std::uint32_t kFlags = kHasZ | kHasM | kHasSrid;
enum Type : std::uint32_t { kPoint = 1, kLine = 2, kPolygon = 3, kMultiPoint = 4, kCollection = 7 };

/// Why a geometry is damaged.
struct Damage {
  std::string reason;
};

struct Box {
  double xmin = std::numeric_limits<double>::infinity();
  double ymin = xmin;
  double xmax = -xmin;
  double ymax = -xmin;

  /// NaN is less than nothing, and no coordinate.
  void take(double x, double y) {
    if (x < xmin) xmin = x;
    if (x > xmax) xmax = x;
    if (y < ymin) ymin = y;
    if (y > ymax) ymax = y;
  }
  bool is_empty() const { return xmin > xmax || ymin > ymax; }
};

class WkbReader {
 public:
  explicit WkbReader(std::string_view bytes) : rest_(bytes) {}

  Box read() {
    read_geometry(0);
    if (!rest_.empty()) throw Damage{"has " + std::to_string(rest_.size()) + " bytes behind its end"};
    return box_;
  }

 private:
  void read_geometry(unsigned depth) {
    if (depth == kMostDepth) throw Damage{"has collections within collections, " + std::to_string(depth) + " deep"};
    need(5);
    const auto order = static_cast<unsigned char>(rest_.front());
    if (order > 1) throw Damage{"begins with byte " + std::to_string(order) + ", and 0 or 1 tells the order of bytes"};
    const bool is_swapped = order == 0;
    rest_.remove_prefix(1);
    const std::uint32_t word = read_count(is_swapped);
    if ((word & kHasSrid) != 0) {
      need(4);
      rest_.remove_prefix(4);
    }
    const std::uint32_t number = word & ~kFlags;
    const std::uint32_t type = number % 1000;
    const std::uint32_t kind = number / 1000;  // 1: z, 2: m, 3: both
    if (type < kPoint || type > kCollection || kind > 3)
      throw Damage{"is of type " + std::to_string(number) + ", and GeoParquet has 1 to 7"};
    const bool has_z = (word & kHasZ) != 0 || kind == 1 || kind == 3;
    const bool has_m = (word & kHasM) != 0 || kind == 2 || kind == 3;
    const std::size_t point_bytes = 16 + (has_z ? 8 : 0) + (has_m ? 8 : 0);
    if (type == kPoint) return read_points(1, point_bytes, is_swapped);
    const std::uint32_t count = read_count(is_swapped);
    if (type == kLine) return read_points(count, point_bytes, is_swapped);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (type == kPolygon) {
        read_points(read_count(is_swapped), point_bytes, is_swapped);
      } else {
        read_geometry(depth + 1);
      }
    }
  }

  void read_points(std::uint32_t count, std::size_t point_bytes, bool is_swapped) {
    need(std::uint64_t{count} * point_bytes);
    const char* point = rest_.data();
    for (std::uint32_t i = 0; i < count; ++i, point += point_bytes) {
      box_.take(coordinate(point, is_swapped), coordinate(point + 8, is_swapped));
    }
    rest_.remove_prefix(count * point_bytes);
  }

  static double coordinate(const char* at, bool is_swapped) {
    const auto word = load_as<std::uint64_t>(at);
    return std::bit_cast<double>(is_swapped ? byte_swap(word) : word);
  }

  std::uint32_t read_count(bool is_swapped) {
    need(4);
    const auto word = load_as<std::uint32_t>(rest_.data());
    rest_.remove_prefix(4);
    return is_swapped ? static_cast<std::uint32_t>(byte_swap(word) >> 32) : word;
  }

  void need(std::uint64_t bytes) const {
    if (bytes > rest_.size()) throw Damage{"is cut short"};
  }

  std::string_view rest_;
  Box box_;
};

}  // namespace

std::optional<DamagedGeometry> write_boxes(const ArrowArray& geometries, const BoxColumns& boxes) {
  const table::OffsetTexts<std::int64_t> values(geometries);
  const std::byte* const valid = geometries.null_count != 0 ? table::buffer_of(geometries, 0) : nullptr;
  for (std::int64_t row = 0; row < geometries.length; ++row) {
    const std::int64_t position = geometries.offset + row;
    Box box;
    if (valid == nullptr || table::bit_at(valid, position)) {
      try {
        box = WkbReader(values(position)).read();
      } catch (const Damage& damage) {
        return DamagedGeometry{row, damage.reason};
      }
    }
    const bool is_empty = box.is_empty();
    const double bounds[] = {box.xmin, box.ymin, box.xmax, box.ymax};
    for (std::size_t i = 0; i < 4; ++i) boxes.bounds[i][row] = is_empty ? 0 : bounds[i];
    boxes.valid[row] = is_empty ? 0 : 1;
  }
  return std::nullopt;
}

}  // namespace sortie
