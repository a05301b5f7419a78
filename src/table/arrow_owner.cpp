#include "table/arrow_owner.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.hpp"

namespace sortie::table {
namespace {

using Dictionaries = std::span<const std::shared_ptr<const ColumnData>>;

/// What a structure that is handed over points to: other structures, and what `Own` has.
template <class Struct, class Own>
struct Parts {
  Own own;
  std::vector<ArrowOwner<Struct>> children;
  std::vector<Struct*> child_pointers;
  ArrowOwner<Struct> dictionary;

  /// `made` has all but the structures; it owns `parts` from now on.
  static ArrowOwner<Struct> complete(std::unique_ptr<Parts> parts, Struct made) {
    for (ArrowOwner<Struct>& child : parts->children) parts->child_pointers.push_back(child.pointer());
    made.n_children = static_cast<std::int64_t>(parts->children.size());
    made.children = parts->child_pointers.data();
    made.dictionary = parts->dictionary.pointer();
    made.private_data = parts.release();
    made.release = [](Struct* released) {
      delete static_cast<Parts*>(released->private_data);
      released->release = nullptr;
    };
    return ArrowOwner<Struct>(made);
  }
};

struct SchemaTexts {
  std::string format;
  std::string name;
  std::string metadata;
};

struct ArrayBuffers {
  std::shared_ptr<const ColumnData> data;
  std::vector<const void*> pointers;
  std::int64_t view_bytes = 0;
};

using SchemaParts = Parts<ArrowSchema, SchemaTexts>;
using ArrayParts = Parts<ArrowArray, ArrayBuffers>;

/// Bytes of metadata: a count of pairs, then a length and the bytes of each key and each value.
std::size_t metadata_bytes(const char* metadata) {
  const auto pairs = load_as<std::int32_t>(metadata);
  std::size_t at = sizeof(pairs);
  for (std::int64_t i = 0; i < 2 * std::int64_t{pairs}; ++i) {
    at += sizeof(std::int32_t) + static_cast<std::size_t>(load_as<std::int32_t>(metadata + at));
  }
  return at;
}

/// Some readers take no null pointer for a buffer that holds nothing; that of the bitmap means that nothing is null.
void list_buffers(const TableType& type, ArrayBuffers& buffers) {
  alignas(64) static constexpr std::byte kNothing[64] = {};
  const ColumnData& column = *buffers.data;
  for (const Buffer kind : buffers_of(type.storage)) {
    const ByteBuffer& buffer = column.*kBuffersOfColumn[static_cast<std::size_t>(kind)];
    const void* const nothing = kind == Buffer::kValidity ? nullptr : kNothing;
    buffers.pointers.push_back(buffer.empty() ? nothing : buffer.data());
  }
  if (type.storage != Storage::kBinaryView) return;
  buffers.view_bytes = static_cast<std::int64_t>(column.bytes.size());
  buffers.pointers.push_back(&buffers.view_bytes);
}

ArrowOwner<ArrowArray> complete_array(std::unique_ptr<ArrayParts> parts, std::int64_t length, std::int64_t null_count) {
  ArrowArray array{};
  array.length = length;
  array.null_count = null_count;
  array.n_buffers = static_cast<std::int64_t>(parts->own.pointers.size());
  array.buffers = parts->own.pointers.data();
  return ArrayParts::complete(std::move(parts), array);
}

ArrowOwner<ArrowArray> export_column(const TableType& type, const std::shared_ptr<const ColumnData>& data,
                                     Dictionaries dictionaries) {
  auto parts = std::make_unique<ArrayParts>();
  parts->own.data = data;
  list_buffers(type, parts->own);
  for (std::size_t i = 0; i < data->children.size(); ++i) {
    const std::shared_ptr<const ColumnData> child(data, &data->children[i]);
    parts->children.push_back(export_column(type.children[i], child, dictionaries));
  }
  if (type.storage == Storage::kDictionary) {
    parts->dictionary = export_column(type.children[0], dictionaries[type.dictionary], dictionaries);
  }
  return complete_array(std::move(parts), data->length,
                        type.storage == Storage::kNull ? data->length : data->null_count);
}

}  // namespace

ArrowOwner<ArrowSchema> copy_of(const ArrowSchema& schema) {
  auto parts = std::make_unique<SchemaParts>();
  SchemaTexts& texts = parts->own;
  if (schema.format != nullptr) texts.format = schema.format;
  if (schema.name != nullptr) texts.name = schema.name;
  if (schema.metadata != nullptr) texts.metadata.assign(schema.metadata, metadata_bytes(schema.metadata));
  for (std::int64_t i = 0; i < schema.n_children; ++i) parts->children.push_back(copy_of(*schema.children[i]));
  if (schema.dictionary != nullptr) parts->dictionary = copy_of(*schema.dictionary);
  ArrowSchema copy{};
  copy.format = texts.format.c_str();
  copy.name = schema.name == nullptr ? nullptr : texts.name.c_str();
  copy.metadata = schema.metadata == nullptr ? nullptr : texts.metadata.data();
  copy.flags = schema.flags;
  return SchemaParts::complete(std::move(parts), copy);
}

ArrowOwner<ArrowArray> export_batch(const TableSchema& schema, std::vector<ColumnData> columns, std::int64_t rows,
                                    Dictionaries dictionaries, ColumnPool* pool) {
  auto parts = std::make_unique<ArrayParts>();
  parts->own.pointers.push_back(nullptr);  // no row is null
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto column = pool != nullptr ? pool->share(i, std::move(columns[i]))
                                        : std::make_shared<const ColumnData>(std::move(columns[i]));
    parts->children.push_back(export_column(schema.columns[i], column, dictionaries));
  }
  return complete_array(std::move(parts), rows, 0);
}

ArrowOwner<ArrowArray> export_rows(const TableSchema& schema,
                                   std::span<const std::shared_ptr<const ColumnData>> columns, std::int64_t first,
                                   std::int64_t rows) {
  auto parts = std::make_unique<ArrayParts>();
  parts->own.pointers.push_back(nullptr);  // no row is null
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnData& column = *columns[i];
    ArrowArray part = export_column(schema.columns[i], columns[i], {}).release();
    part.offset = first;
    part.length = rows;
    if (!column.validity.empty()) part.null_count = rows - count_bits(column.validity.data(), first, rows);
    if (schema.columns[i].storage == Storage::kNull) part.null_count = rows;
    parts->children.emplace_back(part);
  }
  return complete_array(std::move(parts), rows, 0);
}

}  // namespace sortie::table
