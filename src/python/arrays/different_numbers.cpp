// Columns of numbers none of which comes twice in some rows, for sortie.parquet.dictionaries: of thousands of columns
// pyarrow would tell it one by one, in fifty times as long.
#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "python/arrow_structs.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// Rows that are looked at, at most.
constexpr std::size_t kMostRows = 256;

/// Bytes of a number of 32 or 64 bits; 0 for all other types.
std::size_t number_bytes(std::string_view format) {
  if (format == "i" || format == "I" || format == "f") return sizeof(std::uint32_t);
  const bool is_time = format.starts_with("ts") || format.starts_with("tD");
  return format == "l" || format == "L" || format == "g" || is_time ? sizeof(std::uint64_t) : 0;
}

bool all_differ(std::span<const std::uint64_t> numbers) {
  constexpr std::size_t kSlots = 4 * kMostRows;
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;  // 2^64 by the golden ratio
  std::array<std::uint16_t, kSlots> slots = {};              // index of a number, and 1; 0 if the slot is free
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::size_t slot = static_cast<std::size_t>(numbers[i] * kMultiplier >> 32) % kSlots;
    for (; slots[slot] != 0; slot = (slot + 1) % kSlots) {
      if (numbers[slots[slot] - std::size_t{1}] == numbers[i]) return false;
    }
    slots[slot] = static_cast<std::uint16_t>(i + 1);
  }
  return true;
}

bool has_different_numbers(const ArrowSchema& schema, const ArrowArray& column, std::int64_t first,
                           std::span<const std::int32_t> rows) {
  const std::size_t width = number_bytes(schema.format);
  if (width == 0 || schema.dictionary != nullptr || column.null_count != 0) return false;
  const auto* const values = static_cast<const std::byte*>(column.buffers[1]);
  std::array<std::uint64_t, kMostRows> numbers = {};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(&numbers[i], values + static_cast<std::size_t>(first + column.offset + rows[i]) * width, width);
  }
  return all_differ(std::span(numbers).first(rows.size()));
}

/// The numbers of columns, of a batch in two capsules, that hold numbers which all differ in these rows. `rows`: 32
/// bits each. Columns of other types, and such with nulls, are left out.
nb::list columns_of_different_numbers(nb::handle schema, nb::handle array, const nb::bytes& rows) {
  const ArrowSchema& types = struct_in<ArrowSchema>(schema);
  const ArrowArray& batch = struct_in<ArrowArray>(array);
  std::vector<std::int32_t> places(rows.size() / sizeof(std::int32_t));
  if (places.empty() || places.size() > kMostRows) throw nb::value_error("too few rows, or too many");
  std::memcpy(places.data(), rows.c_str(), places.size() * sizeof(std::int32_t));
  for (const std::int32_t place : places) {
    if (place < 0 || place >= batch.length) throw nb::value_error("the batch has no such row");
  }
  nb::list different;
  for (std::int64_t i = 0; i < batch.n_children; ++i) {
    if (has_different_numbers(*types.children[i], *batch.children[i], batch.offset, places)) different.append(i);
  }
  return different;
}

}  // namespace

void bind_different_numbers(nb::module_& module) {
  module.def("columns_of_different_numbers", &columns_of_different_numbers, nb::arg("schema"), nb::arg("array"),
             nb::arg("rows"));
}

}  // namespace sortie::python
