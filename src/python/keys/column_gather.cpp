#include "python/keys/column_gather.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace sortie::python {
namespace {

bool bit_at(const void* bits, std::size_t at) {
  return (static_cast<const std::uint8_t*>(bits)[at / 8] >> at % 8 & 1U) != 0;
}

bool is_valid(const PartColumn& part, std::size_t row) {
  return !part.has_nulls() || bit_at(part.array->buffers[0], part.offset + row);
}

template <std::size_t kWidth>
void copy_values(std::span<const Place> places, const std::vector<const std::byte*>& bases, std::byte* out) {
  for (const Place& place : places) {
    std::memcpy(out, bases[place.part] + place.row * kWidth, kWidth);
    out += kWidth;
  }
}

void gather_fixed(std::span<const Place> places, std::span<const PartColumn> parts, std::size_t width, std::byte* out) {
  std::vector<const std::byte*> bases;
  for (const PartColumn& part : parts) {
    bases.push_back(static_cast<const std::byte*>(part.array->buffers[1]) + part.offset * width);
  }
  switch (width) {
    case 1:
      return copy_values<1>(places, bases, out);
    case 2:
      return copy_values<2>(places, bases, out);
    case 4:
      return copy_values<4>(places, bases, out);
    default:
      return copy_values<8>(places, bases, out);
  }
}

/// Makes bits of is_set(place), and returns how many are not set.
template <class IsSet>
std::int64_t gather_bits(std::span<const Place> places, std::byte* out, const IsSet& is_set) {
  std::int64_t missing = 0;
  std::memset(out, 0, (places.size() + 7) / 8);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (is_set(places[i])) {
      out[i / 8] |= static_cast<std::byte>(1U << i % 8);
    } else {
      ++missing;
    }
  }
  return missing;
}

template <class Offset>
void gather_texts(std::span<const Place> places, std::span<const PartColumn> parts, GatheredRows& rows,
                  std::array<const void*, 3>& buffers) {
  auto* const offsets = reinterpret_cast<Offset*>(rows.new_block((places.size() + 1) * sizeof(Offset)));
  std::vector<const Offset*> begins;
  for (const PartColumn& part : parts)
    begins.push_back(static_cast<const Offset*>(part.array->buffers[1]) + part.offset);
  std::uint64_t total = 0;
  offsets[0] = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Offset* const begin = begins[places[i].part] + places[i].row;
    total += static_cast<std::uint64_t>(begin[1] - begin[0]);
    offsets[i + 1] = static_cast<Offset>(total);
  }
  if (total != static_cast<std::uint64_t>(offsets[places.size()]))
    throw std::length_error("more text than a column holds");
  std::byte* out = rows.new_block(total);
  buffers = {nullptr, offsets, out};
  for (const Place& place : places) {
    const Offset* const begin = begins[place.part] + place.row;
    const auto size = static_cast<std::size_t>(begin[1] - begin[0]);
    if (size != 0)
      std::memcpy(out, static_cast<const std::byte*>(parts[place.part].array->buffers[2]) + begin[0], size);
    out += size;
  }
}

}  // namespace

std::optional<ColumnShape> shape_of(const ArrowSchema& column) {
  const std::string_view format = column.format;
  if (column.dictionary != nullptr || column.n_children != 0 || format.empty()) return std::nullopt;
  switch (format[0]) {
    case 'b':
      return ColumnShape{Shape::kBits};
    case 'c':
    case 'C':
      return ColumnShape{Shape::kFixed, 1};
    case 's':
    case 'S':
    case 'e':
      return ColumnShape{Shape::kFixed, 2};
    case 'i':
    case 'I':
    case 'f':
      return ColumnShape{Shape::kFixed, 4};
    case 'l':
    case 'L':
    case 'g':
      return ColumnShape{Shape::kFixed, 8};
    case 'u':
    case 'z':
      return ColumnShape{Shape::kShortTexts};
    case 'U':
    case 'Z':
      return ColumnShape{Shape::kLongTexts};
    default:
      break;
  }
  const std::string_view time = format.substr(0, 3);
  if (time == "tdD" || time == "tts" || time == "ttm") return ColumnShape{Shape::kFixed, 4};
  if (time == "tdm" || time == "ttu" || time == "ttn" || format.starts_with("ts") || format.starts_with("tD")) {
    return ColumnShape{Shape::kFixed, 8};
  }
  return std::nullopt;
}

void gather_column(ColumnShape shape, std::span<const Place> places, std::span<const PartColumn> parts,
                   GatheredRows& rows) {
  std::array<const void*, 3> buffers{};
  std::int64_t buffer_count = 2;
  if (shape.shape == Shape::kShortTexts || shape.shape == Shape::kLongTexts) {
    buffer_count = 3;
    shape.shape == Shape::kShortTexts ? gather_texts<std::int32_t>(places, parts, rows, buffers)
                                      : gather_texts<std::int64_t>(places, parts, rows, buffers);
  } else if (shape.shape == Shape::kBits) {
    std::byte* const bits = rows.new_block((places.size() + 7) / 8);
    gather_bits(places, bits, [&](const Place& place) {
      const PartColumn& part = parts[place.part];
      return bit_at(part.array->buffers[1], part.offset + place.row);
    });
    buffers[1] = bits;
  } else {
    std::byte* const values = rows.new_block(places.size() * shape.width);
    gather_fixed(places, parts, shape.width, values);
    buffers[1] = values;
  }
  std::int64_t nulls = 0;
  if (std::any_of(parts.begin(), parts.end(), [](const PartColumn& part) { return part.has_nulls(); })) {
    std::byte* const bits = rows.new_block((places.size() + 7) / 8);
    nulls = gather_bits(places, bits, [&](const Place& place) { return is_valid(parts[place.part], place.row); });
    buffers[0] = bits;
  }
  rows.buffers.push_back(buffers);
  ArrowArray child{};
  child.length = static_cast<std::int64_t>(places.size());
  child.null_count = nulls;
  child.n_buffers = buffer_count;
  rows.children.push_back(child);
}

}  // namespace sortie::python
