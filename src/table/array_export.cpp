#include "table/array_export.hpp"

#include <cstdint>
#include <utility>

namespace sortie::table {
namespace {

using Dictionaries = std::span<const std::shared_ptr<const ColumnData>>;

/// What an exported array points to.
struct ArrayParts {
  ArrayParts() = default;
  ~ArrayParts() {
    for (ArrowArray& child : children) release(child);
    release(dictionary);
  }
  ArrayParts(const ArrayParts&) = delete;
  ArrayParts& operator=(const ArrayParts&) = delete;

  static void release(ArrowArray& array) {
    if (array.release != nullptr) array.release(&array);
  }

  std::shared_ptr<const ColumnData> data;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};
  std::int64_t view_buffer_bytes = 0;
};

void release_exported(ArrowArray* array) {
  delete static_cast<ArrayParts*>(array->private_data);
  array->release = nullptr;
}

/// Some readers take no null pointer for a buffer that holds nothing.
const void* pointer_to(const ByteBuffer& buffer) {
  alignas(64) static constexpr std::byte kNothing[64] = {};
  return buffer.empty() ? static_cast<const void*>(kNothing) : buffer.data();
}

void list_buffers(const TableType& type, const ColumnData& column, ArrayParts& parts) {
  std::vector<const void*>& buffers = parts.buffers;
  if (type.has_validity()) buffers.push_back(column.validity.empty() ? nullptr : column.validity.data());
  switch (type.storage) {
    case Storage::kNull:
    case Storage::kRunEnd:
    case Storage::kFixedList:
    case Storage::kStruct:
      return;
    case Storage::kBits:
    case Storage::kFixed:
    case Storage::kDictionary:
    case Storage::kList:
    case Storage::kLargeList:
    case Storage::kSparseUnion:
      return buffers.push_back(pointer_to(column.values));
    case Storage::kBinary:
    case Storage::kLargeBinary:
      buffers.push_back(pointer_to(column.values));
      return buffers.push_back(pointer_to(column.bytes));
    case Storage::kListView:
    case Storage::kLargeListView:
    case Storage::kDenseUnion:
      buffers.push_back(pointer_to(column.values));
      return buffers.push_back(pointer_to(column.sizes));
    case Storage::kBinaryView:
      buffers.push_back(pointer_to(column.values));
      buffers.push_back(pointer_to(column.bytes));
      parts.view_buffer_bytes = static_cast<std::int64_t>(column.bytes.size());
      return buffers.push_back(&parts.view_buffer_bytes);
  }
}

/// `parts` holds all but what it points to itself.
ArrowArray array_of(std::unique_ptr<ArrayParts> parts, std::int64_t length, std::int64_t null_count) {
  for (ArrowArray& child : parts->children) parts->child_pointers.push_back(&child);
  ArrowArray array{};
  array.length = length;
  array.null_count = null_count;
  array.n_buffers = static_cast<std::int64_t>(parts->buffers.size());
  array.buffers = parts->buffers.data();
  array.n_children = static_cast<std::int64_t>(parts->children.size());
  array.children = parts->child_pointers.data();
  array.dictionary = parts->dictionary.release == nullptr ? nullptr : &parts->dictionary;
  array.release = release_exported;
  array.private_data = parts.release();
  return array;
}

ArrowArray export_column(const TableType& type, std::shared_ptr<const ColumnData> data, Dictionaries dictionaries) {
  auto parts = std::make_unique<ArrayParts>();
  const ColumnData& column = *data;
  list_buffers(type, column, *parts);
  parts->children.reserve(column.children.size());
  for (std::size_t i = 0; i < column.children.size(); ++i) {
    const std::shared_ptr<const ColumnData> child(data, &column.children[i]);
    parts->children.push_back(export_column(type.children[i], child, dictionaries));
  }
  if (type.storage == Storage::kDictionary) {
    parts->dictionary = export_column(type.children[0], dictionaries[type.dictionary], dictionaries);
  }
  parts->data = std::move(data);
  const std::int64_t null_count = type.storage == Storage::kNull ? column.length : column.null_count;
  return array_of(std::move(parts), column.length, null_count);
}

}  // namespace

ArrowArray export_batch(const TableSchema& schema, std::vector<ColumnData> columns, std::int64_t rows,
                        Dictionaries dictionaries) {
  auto parts = std::make_unique<ArrayParts>();
  parts->buffers.push_back(nullptr);  // no row is null
  parts->children.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    parts->children.push_back(
        export_column(schema.columns[i], std::make_shared<const ColumnData>(std::move(columns[i])), dictionaries));
  }
  return array_of(std::move(parts), rows, 0);
}

}  // namespace sortie::table
