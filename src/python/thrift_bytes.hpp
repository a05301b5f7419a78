// Thrift's compact protocol as bytes: steps through a struct without making anything of it. Used by what makes objects
// of Python of structs, and by what looks into the headers of Parquet's pages.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace sortie::python {

enum ThriftKind : std::uint8_t {
  kTrue = 1,
  kFalse,
  kByte,
  kI16,
  kI32,
  kI64,
  kDouble,
  kBinary,
  kList,
  kSet,
  kStruct = 12
};

inline constexpr std::size_t kDoubleBytes = 8;
// Footers have less than ten levels; damage may have as many as it has bytes.
inline constexpr int kMostThriftLevels = 64;
inline constexpr std::uint8_t kLongList = 15;

/// Where it cannot go on, it throws what becomes Python's ValueError.
class ThriftBytes {
 public:
  explicit ThriftBytes(std::string_view data) : data_(data) {}

  /// Bytes that it has stepped over.
  std::size_t position() const { return at_; }

  static void refuse_depth(int level) {
    if (level > kMostThriftLevels) throw nanobind::value_error("a footer with too many levels");
  }

  [[noreturn]] static void refuse_kind(std::uint8_t kind) {
    throw nanobind::value_error(("a footer with a value of type " + std::to_string(kind)).c_str());
  }

  std::uint8_t byte() {
    require(1);
    return static_cast<std::uint8_t>(data_[at_++]);
  }

  std::string_view bytes(std::uint64_t count) {
    require(count);
    const std::string_view taken = data_.substr(at_, count);
    at_ += count;
    return taken;
  }

  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < std::numeric_limits<std::uint64_t>::digits; shift += 7) {
      const std::uint8_t next = byte();
      number |= std::uint64_t{next & 0x7fU} << shift;
      if (next < 0x80) return number;
    }
    throw nanobind::value_error("a footer with a number of more than 64 bits");
  }

  std::int64_t integer() {
    const std::uint64_t number = varint();
    return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
  }

  /// Calls take(number, kind) at the value of each field, which it steps over. The type of a bool is its value.
  template <class Take>
  void each_field(const Take& take) {
    std::int64_t number = 0;
    while (const std::uint8_t header = byte()) {
      const std::int64_t step = header >> 4;
      number = step == 0 ? integer() : number + step;
      if (number != static_cast<std::int16_t>(number)) {
        throw nanobind::value_error("a footer with a field out of range");
      }
      take(number, static_cast<std::uint8_t>(header & 15U));
    }
  }

  /// The kind of the items, and their number. Each takes a byte at least, so that a damaged number ends with the data.
  std::pair<std::uint8_t, std::uint64_t> list_header() {
    const std::uint8_t header = byte();
    const std::uint64_t count = header >> 4 < kLongList ? header >> 4 : varint();
    return {static_cast<std::uint8_t>(header & 15U), count};
  }

  /// The bytes of a struct.
  std::string_view struct_bytes(int level) {
    const std::size_t begin = at_;
    skip(kStruct, level);
    return data_.substr(begin, at_ - begin);
  }

  void skip(std::uint8_t kind, int level) {
    refuse_depth(level);
    switch (kind) {
      case kI16:
      case kI32:
      case kI64:
        varint();
        break;
      case kTrue:
      case kFalse:
      case kByte:
        byte();
        break;
      case kDouble:
        bytes(kDoubleBytes);
        break;
      case kBinary:
        bytes(varint());
        break;
      case kStruct:
        each_field([&](std::int64_t, std::uint8_t held) { skip_field(held, level + 1); });
        break;
      case kList:
      case kSet: {
        const auto [held, count] = list_header();
        for (std::uint64_t item = 0; item < count; ++item) skip(held, level + 1);
        break;
      }
      default:
        refuse_kind(kind);
    }
  }

  void skip_field(std::uint8_t kind, int level) {
    if (kind != kTrue && kind != kFalse) skip(kind, level);
  }

 private:
  void require(std::uint64_t count) const {
    if (count > data_.size() - at_) throw nanobind::value_error("a footer that is cut short");
  }

  std::string_view data_;
  std::size_t at_ = 0;
};

}  // namespace sortie::python
