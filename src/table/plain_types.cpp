#include "table/plain_types.hpp"

#include <array>
#include <limits>
#include <string>

#include "base/quote.hpp"
#include "base/whole_number.hpp"

namespace sortie::table {
namespace {

struct PlainType {
  std::string_view format;
  Storage storage;
  Order order;
  std::uint32_t width;
  std::string_view words;
};

constexpr auto kPlainTypes = std::to_array<PlainType>({
    {"n", Storage::kNull, Order::kNull, 0, "null"},
    {"b", Storage::kBits, Order::kUnsigned, 1, "bool"},
    {"c", Storage::kFixed, Order::kSigned, 1, "int8"},
    {"C", Storage::kFixed, Order::kUnsigned, 1, "uint8"},
    {"s", Storage::kFixed, Order::kSigned, 2, "int16"},
    {"S", Storage::kFixed, Order::kUnsigned, 2, "uint16"},
    {"i", Storage::kFixed, Order::kSigned, 4, "int32"},
    {"I", Storage::kFixed, Order::kUnsigned, 4, "uint32"},
    {"l", Storage::kFixed, Order::kSigned, 8, "int64"},
    {"L", Storage::kFixed, Order::kUnsigned, 8, "uint64"},
    {"e", Storage::kFixed, Order::kFloat, 2, "float16"},
    {"f", Storage::kFixed, Order::kFloat, 4, "float32"},
    {"g", Storage::kFixed, Order::kFloat, 8, "float64"},
    {"z", Storage::kBinary, Order::kBytes, 4, "binary"},
    {"Z", Storage::kLargeBinary, Order::kBytes, 8, "large_binary"},
    {"vz", Storage::kBinaryView, Order::kBytes, 16, "binary_view"},
    {"u", Storage::kBinary, Order::kBytes, 4, "string"},
    {"U", Storage::kLargeBinary, Order::kBytes, 8, "large_string"},
    {"vu", Storage::kBinaryView, Order::kBytes, 16, "string_view"},
    {"tdD", Storage::kFixed, Order::kSigned, 4, "date32"},
    {"tdm", Storage::kFixed, Order::kSigned, 8, "date64"},
    {"tts", Storage::kFixed, Order::kSigned, 4, "time32[s]"},
    {"ttm", Storage::kFixed, Order::kSigned, 4, "time32[ms]"},
    {"ttu", Storage::kFixed, Order::kSigned, 8, "time64[us]"},
    {"ttn", Storage::kFixed, Order::kSigned, 8, "time64[ns]"},
    {"tDs", Storage::kFixed, Order::kSigned, 8, "duration[s]"},
    {"tDm", Storage::kFixed, Order::kSigned, 8, "duration[ms]"},
    {"tDu", Storage::kFixed, Order::kSigned, 8, "duration[us]"},
    {"tDn", Storage::kFixed, Order::kSigned, 8, "duration[ns]"},
    {"tiM", Storage::kFixed, Order::kSigned, 4, "interval of months"},
    {"tiD", Storage::kFixed, Order::kNone, 8, "interval of days and milliseconds"},
    {"tin", Storage::kFixed, Order::kNone, 16, "interval of months, days and nanoseconds"},
});

std::optional<TableType> timestamp_type(std::string_view format) {
  constexpr std::string_view kUnits = "smun";
  if (format.size() < 4 || kUnits.find(format[2]) == std::string_view::npos || format[3] != ':') return std::nullopt;
  TableType type;
  type.storage = Storage::kFixed;
  type.order = Order::kSigned;
  type.width = 8;
  type.words = std::string("timestamp[") + format[2] + (format[2] == 's' ? "" : "s");
  if (format.size() > 4) type.words += ", " + escape_unprintable(format.substr(4));
  type.words += "]";
  return type;
}

std::optional<TableType> decimal_type(std::string_view format) {
  std::string_view rest = format.substr(2);
  const std::size_t comma = rest.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view scale = rest.substr(comma + 1);
  const std::size_t second = scale.find(',');
  const auto bits = second == std::string_view::npos ? 128 : whole_number<std::int64_t>(scale.substr(second + 1));
  if (bits != 32 && bits != 64 && bits != 128 && bits != 256) return std::nullopt;
  TableType type;
  type.storage = Storage::kFixed;
  type.order = Order::kSigned;
  type.width = static_cast<std::uint32_t>(*bits / 8);
  type.words = "decimal" + std::to_string(*bits) + "(" + escape_unprintable(rest.substr(0, comma)) + ", " +
               escape_unprintable(scale.substr(0, second)) + ")";
  return type;
}

std::optional<TableType> fixed_binary_type(std::string_view format) {
  const auto width = whole_number<std::int64_t>(format.substr(2));
  if (!width || *width < 0 || *width > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  TableType type;
  type.storage = Storage::kFixed;
  type.order = Order::kBytes;
  type.width = static_cast<std::uint32_t>(*width);
  type.words = "fixed_size_binary[" + std::to_string(*width) + "]";
  return type;
}

}  // namespace

std::optional<TableType> plain_type(std::string_view format) {
  for (const PlainType& plain : kPlainTypes) {
    if (plain.format != format) continue;
    TableType type;
    type.storage = plain.storage;
    type.order = plain.order;
    type.width = plain.width;
    type.words = plain.words;
    return type;
  }
  if (format.starts_with("ts")) return timestamp_type(format);
  if (format.starts_with("d:")) return decimal_type(format);
  if (format.starts_with("w:")) return fixed_binary_type(format);
  return std::nullopt;
}

}  // namespace sortie::table
