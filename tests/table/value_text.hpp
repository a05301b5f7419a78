// Values of arrays of the Arrow C data interface as text, for comparison: written without a look at how the table
// sorter reads them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include <sortie/arrow_c_data.hpp>

namespace sortie::test {

template <class Value>
Value value_in(const ArrowArray& array, std::size_t buffer, std::int64_t index) {
  Value value;
  std::memcpy(&value, static_cast<const char*>(array.buffers[buffer]) + index * static_cast<std::int64_t>(sizeof value),
              sizeof value);
  return value;
}

inline bool bit_in(const ArrowArray& array, std::size_t buffer, std::int64_t index) {
  return ((value_in<std::uint8_t>(array, buffer, index / 8) >> (index % 8)) & 1) != 0;
}

std::string value_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index);

inline std::string elements_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t first,
                                 std::int64_t count) {
  std::string text;
  for (std::int64_t i = 0; i < count; ++i) {
    text += (i == 0 ? "" : " ") + value_text(*schema.children[0], *array.children[0], first + i);
  }
  return "[" + text + "]";
}

inline std::string bytes_text(const char* bytes, std::size_t count) {
  std::string text = "'";
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    constexpr char kDigits[] = "0123456789abcdef";
    if (byte >= ' ' && byte < 0x7F) {
      text += bytes[i];
    } else {
      text += std::string("\\") + kDigits[byte / 16] + kDigits[byte % 16];
    }
  }
  return text + "'";
}

inline std::string struct_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t position) {
  std::string text;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    text += (i == 0 ? "" : ", ") + std::string(schema.children[i]->name) + ": " +
            value_text(*schema.children[i], *array.children[i], position);
  }
  return "{" + text + "}";
}

inline std::string union_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t position) {
  const int id = value_in<std::int8_t>(array, 0, position);
  const bool is_dense = schema.format[2] == 'd';
  std::string ids = std::string(schema.format).substr(4) + ",";
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const std::size_t comma = ids.find(',');
    if (std::stoi(ids.substr(0, comma)) == id) {
      const std::int64_t index = is_dense ? value_in<std::int32_t>(array, 1, position) : position;
      return std::to_string(id) + "=" + value_text(*schema.children[i], *array.children[i], index);
    }
    ids.erase(0, comma + 1);
  }
  return "no such type id";
}

inline std::string run_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t position) {
  const ArrowArray& ends = *array.children[0];
  for (std::int64_t run = 0; run < ends.length; ++run) {
    const char width = schema.children[0]->format[0];
    const std::int64_t at = ends.offset + run;
    const std::int64_t end = width == 's'   ? value_in<std::int16_t>(ends, 1, at)
                             : width == 'i' ? value_in<std::int32_t>(ends, 1, at)
                                            : value_in<std::int64_t>(ends, 1, at);
    if (position < end) return value_text(*schema.children[1], *array.children[1], run);
  }
  return "behind all runs";
}

inline std::string view_text(const ArrowArray& array, std::int64_t position) {
  const char* const view = static_cast<const char*>(array.buffers[1]) + 16 * position;
  std::int32_t parts[4];
  std::memcpy(parts, view, sizeof parts);
  if (parts[0] <= 12) return bytes_text(view + 4, static_cast<std::size_t>(parts[0]));
  return bytes_text(static_cast<const char*>(array.buffers[2 + parts[2]]) + parts[3],
                    static_cast<std::size_t>(parts[0]));
}

template <class Offset>
std::string long_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t position) {
  const Offset begin = value_in<Offset>(array, 1, position);
  const Offset end = value_in<Offset>(array, 1, position + 1);
  if (schema.format[0] == '+') return elements_text(schema, array, begin, end - begin);
  return bytes_text(static_cast<const char*>(array.buffers[2]) + begin, static_cast<std::size_t>(end - begin));
}

template <class Offset>
std::string list_view_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t position) {
  return elements_text(schema, array, value_in<Offset>(array, 1, position), value_in<Offset>(array, 2, position));
}

inline std::string wide_text(const ArrowArray& array, std::int64_t position, std::size_t width) {
  return bytes_text(static_cast<const char*>(array.buffers[1]) + position * static_cast<std::int64_t>(width), width);
}

inline std::string plain_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t position) {
  const std::string format = schema.format;
  if (format == "b") return bit_in(array, 1, position) ? "true" : "false";
  if (format == "c") return std::to_string(value_in<std::int8_t>(array, 1, position));
  if (format == "C") return std::to_string(value_in<std::uint8_t>(array, 1, position));
  if (format == "s") return std::to_string(value_in<std::int16_t>(array, 1, position));
  if (format == "S") return std::to_string(value_in<std::uint16_t>(array, 1, position));
  if (format == "I") return std::to_string(value_in<std::uint32_t>(array, 1, position));
  if (format == "L") return std::to_string(value_in<std::uint64_t>(array, 1, position));
  if (format == "e") return wide_text(array, position, 2);
  if (format == "f") return wide_text(array, position, 4);
  if (format == "g") return wide_text(array, position, 8);
  if (format == "tin") return wide_text(array, position, 16);
  if (format.starts_with("w:")) return wide_text(array, position, std::stoul(format.substr(2)));
  if (format.starts_with("d:")) {
    const std::size_t comma = format.find(',', format.find(',') + 1);
    return wide_text(array, position, comma == std::string::npos ? 16 : std::stoul(format.substr(comma + 1)) / 8);
  }
  const bool is_short = format == "i" || format == "tdD" || format == "tts" || format == "ttm" || format == "tiM";
  if (is_short) return std::to_string(value_in<std::int32_t>(array, 1, position));
  return std::to_string(value_in<std::int64_t>(array, 1, position));
}

/// The value at `index` of an array, which may begin anywhere.
inline std::string value_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
  const std::string format = schema.format;
  const std::int64_t position = array.offset + index;
  const bool has_validity = format != "n" && format != "+r" && !format.starts_with("+u");
  if (format == "n") return "null";
  if (has_validity && array.buffers[0] != nullptr && !bit_in(array, 0, position)) return "null";
  if (schema.dictionary != nullptr) {
    ArrowSchema indexes = schema;
    indexes.dictionary = nullptr;
    return value_text(*schema.dictionary, *array.dictionary, std::stoll(plain_text(indexes, array, position)));
  }
  if (format == "+s") return struct_text(schema, array, position);
  if (format.starts_with("+u")) return union_text(schema, array, position);
  if (format == "+r") return run_text(schema, array, position);
  if (format.starts_with("+w:")) {
    const std::int64_t size = std::stoll(format.substr(3));
    return elements_text(schema, array, position * size, size);
  }
  if (format == "vz" || format == "vu") return view_text(array, position);
  if (format == "z" || format == "u" || format == "+l" || format == "+m") {
    return long_text<std::int32_t>(schema, array, position);
  }
  if (format == "Z" || format == "U" || format == "+L") return long_text<std::int64_t>(schema, array, position);
  if (format == "+vl") return list_view_text<std::int32_t>(schema, array, position);
  if (format == "+vL") return list_view_text<std::int64_t>(schema, array, position);
  return plain_text(schema, array, position);
}

}  // namespace sortie::test
