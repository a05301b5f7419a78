// Arrays of the Arrow C data interface, built by hand: what comes into a table sorter. They count how often they are
// released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sortie/arrow_c_data.hpp>

namespace sortie::test {

/// One array with its type. Copies share nothing. Fill in the parts, then take schema() and array().
struct HandBuilt {
  std::string format;
  std::string name;
  std::int64_t length = 0;
  std::int64_t offset = 0;
  std::int64_t null_count = 0;
  std::int64_t flags = ARROW_FLAG_NULLABLE;
  std::string metadata;  ///< as the interface has it; empty: none
  std::vector<std::string> buffers;
  std::vector<bool> has_buffer;  ///< false: a null pointer
  std::vector<HandBuilt> children;
  std::vector<HandBuilt> dictionary;  ///< one or none
};

struct OwnedSchema {
  HandBuilt source;
  std::deque<ArrowSchema> nodes;
  std::deque<std::vector<ArrowSchema*>> pointers;
};

inline ArrowSchema* add_schema(OwnedSchema& owner, const HandBuilt& built) {
  ArrowSchema& schema = owner.nodes.emplace_back();
  schema = ArrowSchema{};
  schema.format = built.format.c_str();
  schema.name = built.name.c_str();
  schema.metadata = built.metadata.empty() ? nullptr : built.metadata.data();
  schema.flags = built.flags;
  schema.release = [](ArrowSchema* released) { released->release = nullptr; };
  std::vector<ArrowSchema*> children;
  for (const HandBuilt& child : built.children) children.push_back(add_schema(owner, child));
  schema.n_children = static_cast<std::int64_t>(children.size());
  owner.pointers.push_back(children);
  schema.children = owner.pointers.back().data();
  schema.dictionary = built.dictionary.empty() ? nullptr : add_schema(owner, built.dictionary[0]);
  return &schema;
}

/// A schema that is the test's own; it lives as long as the pointer.
inline std::shared_ptr<ArrowSchema> schema_of(const HandBuilt& built) {
  auto owner = std::make_shared<OwnedSchema>();
  owner->source = built;
  ArrowSchema* const schema = add_schema(*owner, owner->source);
  return {owner, schema};
}

struct OwnedArray {
  HandBuilt source;
  std::deque<ArrowArray> nodes;
  std::deque<std::vector<ArrowArray*>> pointers;
  std::deque<std::vector<const void*>> buffers;
  int* release_count = nullptr;
};

inline ArrowArray* add_array(OwnedArray& owner, const HandBuilt& built) {
  ArrowArray& array = owner.nodes.emplace_back();
  array = ArrowArray{};
  array.length = built.length;
  array.offset = built.offset;
  array.null_count = built.null_count;
  std::vector<const void*> buffers;
  for (std::size_t i = 0; i < built.buffers.size(); ++i) {
    buffers.push_back(built.has_buffer[i] ? built.buffers[i].data() : nullptr);
  }
  array.n_buffers = static_cast<std::int64_t>(buffers.size());
  owner.buffers.push_back(buffers);
  array.buffers = owner.buffers.back().data();
  std::vector<ArrowArray*> children;
  for (const HandBuilt& child : built.children) children.push_back(add_array(owner, child));
  array.n_children = static_cast<std::int64_t>(children.size());
  owner.pointers.push_back(children);
  array.children = owner.pointers.back().data();
  array.dictionary = built.dictionary.empty() ? nullptr : add_array(owner, built.dictionary[0]);
  return &array;
}

/// An array for somebody to take over. `releases`: counts when that is released.
inline ArrowArray array_of(const HandBuilt& built, int* releases = nullptr) {
  auto owner = std::make_unique<OwnedArray>();
  owner->source = built;
  owner->release_count = releases;
  ArrowArray array = *add_array(*owner, owner->source);
  array.private_data = owner.release();
  array.release = [](ArrowArray* released) {
    auto* const parts = static_cast<OwnedArray*>(released->private_data);
    if (parts->release_count != nullptr) ++*parts->release_count;
    delete parts;
    released->release = nullptr;
  };
  return array;
}

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

/// The numbers 0, 1, ...: they tell where a row came from.
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
      const std::int32_t place[2] = {static_cast<std::int32_t>(turn), static_cast<std::int32_t>(buffers[turn].size())};
      view += text.substr(0, 4) + std::string(reinterpret_cast<const char*>(place), 8);
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
  std::vector<std::int64_t> places = {0};
  std::vector<std::int64_t> sizes;
  for (const auto& length : lengths) {
    sizes.push_back(length.value_or(0));
    places.push_back(places.back() + sizes.back());
  }
  const bool is_view = format.starts_with("+v");
  const bool is_large = format.back() == 'L';
  if (is_view) places.pop_back();
  const auto add = [&](const std::vector<std::int64_t>& numbers) {
    if (is_large) return add_buffer(built, bytes_of(numbers));
    add_buffer(built, bytes_of(std::vector<std::int32_t>(numbers.begin(), numbers.end())));
  };
  add(places);
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
