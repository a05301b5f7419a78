// Columns and batches of arrays that are built by hand, by what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "table/hand_built.hpp"

namespace sortie::test {

template <class Value>
std::string bytes_of(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

/// Bits as Arrow has them.
inline std::string bits_of(const std::vector<bool>& bits) {
  std::string bytes((bits.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) bytes[i / 8] = static_cast<char>(bytes[i / 8] | (1 << (i % 8)));
  }
  return bytes;
}

inline void add_buffer(HandBuilt& built, std::string bytes) {
  built.buffers.push_back(std::move(bytes));
  built.has_buffer.push_back(true);
}

/// Adds the bitmap of what is valid; none if nothing is null.
template <class Value>
void add_validity(HandBuilt& built, const std::vector<std::optional<Value>>& values) {
  std::vector<bool> valid;
  for (const auto& value : values) {
    valid.push_back(value.has_value());
    built.null_count += value.has_value() ? 0 : 1;
  }
  built.length = static_cast<std::int64_t>(values.size());
  built.buffers.push_back(bits_of(valid));
  built.has_buffer.push_back(built.null_count > 0);
}

template <class Value>
HandBuilt fixed_column(std::string name, std::string format, const std::vector<std::optional<Value>>& values) {
  HandBuilt built;
  built.name = std::move(name);
  built.format = std::move(format);
  add_validity(built, values);
  std::string bytes;
  for (const auto& value : values) {
    const Value written = value.value_or(Value{});
    bytes.append(reinterpret_cast<const char*>(&written), sizeof written);
  }
  add_buffer(built, bytes);
  return built;
}

inline HandBuilt int64_column(std::string name, const std::vector<std::optional<std::int64_t>>& values) {
  return fixed_column<std::int64_t>(std::move(name), "l", values);
}

/// The numbers 0, 1, ...: they say where a row came from.
inline HandBuilt row_numbers(std::size_t count) {
  std::vector<std::optional<std::int64_t>> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.emplace_back(static_cast<std::int64_t>(i));
  return int64_column("row", numbers);
}

inline HandBuilt bool_column(std::string name, const std::vector<std::optional<bool>>& values) {
  HandBuilt built;
  built.name = std::move(name);
  built.format = "b";
  add_validity(built, values);
  std::vector<bool> bits;
  for (const auto& value : values) bits.push_back(value.value_or(false));
  add_buffer(built, bits_of(bits));
  return built;
}

/// Values of fixed_size_binary, decimals and the like: `width` bytes each.
inline HandBuilt wide_column(std::string name, std::string format, std::size_t width,
                             const std::vector<std::optional<std::string>>& values) {
  HandBuilt built;
  built.name = std::move(name);
  built.format = std::move(format);
  add_validity(built, values);
  std::string bytes;
  for (const auto& value : values) bytes += value.value_or(std::string(width, '\0'));
  add_buffer(built, bytes);
  return built;
}

using Texts = std::vector<std::optional<std::string>>;

template <class Offset>
void add_texts(HandBuilt& built, const Texts& values) {
  std::vector<Offset> offsets = {0};
  std::string bytes;
  for (const auto& value : values) {
    bytes += value.value_or("");
    offsets.push_back(static_cast<Offset>(bytes.size()));
  }
  add_buffer(built, bytes_of(offsets));
  add_buffer(built, bytes);
}

/// Views: long values lie in two buffers by turns.
inline void add_views(HandBuilt& built, const Texts& values) {
  std::string views;
  std::string buffers[2];
  std::size_t turn = 0;
  for (const auto& value : values) {
    const std::string text = value.value_or("");
    const auto size = static_cast<std::int32_t>(text.size());
    std::string view(reinterpret_cast<const char*>(&size), 4);
    if (text.size() <= 12) {
      view += text + std::string(12 - text.size(), '\0');
    } else {
      const std::int32_t position[2] = {static_cast<std::int32_t>(turn),
                                        static_cast<std::int32_t>(buffers[turn].size())};
      view += text.substr(0, 4) + std::string(reinterpret_cast<const char*>(position), 8);
      buffers[turn] += text;
      turn = 1 - turn;
    }
    views += view;
  }
  add_buffer(built, views);
  const std::vector<std::int64_t> sizes = {static_cast<std::int64_t>(buffers[0].size()),
                                           static_cast<std::int64_t>(buffers[1].size())};
  add_buffer(built, buffers[0]);
  add_buffer(built, buffers[1]);
  add_buffer(built, bytes_of(sizes));
}

/// `format`: one of z, u, Z, U, vz, vu.
inline HandBuilt text_column(std::string name, std::string format, const Texts& values) {
  HandBuilt built;
  built.name = std::move(name);
  built.format = format;
  add_validity(built, values);
  if (format.front() == 'v') {
    add_views(built, values);
  } else if (format == "z" || format == "u") {
    add_texts<std::int32_t>(built, values);
  } else {
    add_texts<std::int64_t>(built, values);
  }
  return built;
}

/// Indexes of int8 into `values`.
inline HandBuilt dictionary_column(std::string name, const std::vector<std::optional<std::int8_t>>& indexes,
                                   HandBuilt values) {
  HandBuilt built = fixed_column<std::int8_t>(std::move(name), "c", indexes);
  built.dictionary.push_back(std::move(values));
  return built;
}

using Lengths = std::vector<std::optional<std::int32_t>>;

/// Lists of so many elements of `item` each, one behind the other. `format`: +l, +L, +vl, +vL or +m.
inline HandBuilt list_column(std::string name, const std::string& format, const Lengths& lengths, HandBuilt item) {
  HandBuilt built;
  built.name = std::move(name);
  built.format = format;
  add_validity(built, lengths);
  std::vector<std::int64_t> positions = {0};
  std::vector<std::int64_t> sizes;
  for (const auto& length : lengths) {
    sizes.push_back(length.value_or(0));
    positions.push_back(positions.back() + sizes.back());
  }
  const bool is_view = format.starts_with("+v");
  const bool is_large = format.back() == 'L';
  if (is_view) positions.pop_back();
  const auto add = [&](const std::vector<std::int64_t>& numbers) {
    if (is_large) return add_buffer(built, bytes_of(numbers));
    add_buffer(built, bytes_of(std::vector<std::int32_t>(numbers.begin(), numbers.end())));
  };
  add(positions);
  if (is_view) add(sizes);
  built.children.push_back(std::move(item));
  return built;
}

/// A struct of these columns. `valid`: a value for each row that is there; empty: all are.
inline HandBuilt struct_column(std::string name, std::vector<HandBuilt> columns,
                               const std::vector<std::optional<bool>>& valid = {}) {
  HandBuilt built;
  built.name = std::move(name);
  built.format = "+s";
  if (valid.empty()) {
    built.length = columns.empty() ? 0 : columns[0].length;
    built.buffers.emplace_back();
    built.has_buffer.push_back(false);
  } else {
    add_validity(built, valid);
  }
  built.children = std::move(columns);
  return built;
}

inline HandBuilt batch_of(std::vector<HandBuilt> columns) { return struct_column("", std::move(columns)); }

/// The rows from `offset` on, `length` of them.
inline HandBuilt sliced(HandBuilt built, std::int64_t offset, std::int64_t length) {
  built.offset += offset;
  built.length = length;
  if (built.null_count > 0) built.null_count = -1;
  return built;
}

}  // namespace sortie::test
