#include "table/batch_check.hpp"

#include <cstddef>
#include <string>

#include <sortie/error.hpp>

#include "table/array_parts.hpp"
#include "table/column_errors.hpp"

namespace sortie::table {
namespace {

[[noreturn]] void refuse_array(const TableType& type, const std::string& what) {
  refuse_damaged("an array of " + type.shown() + " has " + what);
}

/// For what an array of another type may have.
[[noreturn]] void refuse_form(const TableType& type, const std::string& what) {
  throw Error("a batch has " + what + ", which is no " + type.shown() +
              ": give batches of the schema that the sort began with");
}

void check_runs(const TableType& type, const ArrowArray& array) {
  const ArrowArray& ends = *array.children[0];
  if (array.length > 0 && ends.length == 0) refuse_array(type, "no run");
  if (ends.length > array.children[1]->length) refuse_array(type, "fewer values than runs");
  if (ends.length > 0 && ends.buffers[1] == nullptr) refuse_array(type, "no buffer of run ends");
}

bool is_all_null(const TableType& type, const ArrowArray& array) {
  const std::byte* const valid = validity_of(type, array);
  return valid != nullptr && count_bits(valid, array.offset, array.length) == 0;
}

void check_buffers(const TableType& type, const ArrowArray& array) {
  const std::span<const Buffer> buffers = buffers_of(type.storage);
  // Views have any number of buffers with bytes, and arrays of nulls had a bitmap once.
  const bool may_have_more = type.storage == Storage::kBinaryView || type.storage == Storage::kNull;
  const auto count = static_cast<std::int64_t>(buffers.size());
  const bool has_buffers = may_have_more ? array.n_buffers >= count : array.n_buffers == count;
  if (!has_buffers) refuse_form(type, std::to_string(array.n_buffers) + " buffers");
  if (array.n_buffers > 0 && array.buffers == nullptr) refuse_array(type, "no list of buffers");
}

/// Values that are read need their buffers; where all are null, none is read.
void check_pointers(const TableType& type, const ArrowArray& array) {
  // The last buffer of texts holds nothing if they are empty; fixed_size_binary may have no bytes at all.
  const bool is_empty = array.length == 0 || (type.storage == Storage::kFixed && type.width == 0);
  if (is_empty) return;
  const std::span<const Buffer> buffers = buffers_of(type.storage);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const bool is_read = buffers[i] == Buffer::kValues || buffers[i] == Buffer::kSizes;
    if (is_read && array.buffers[i] == nullptr && !is_all_null(type, array)) refuse_array(type, "no buffer of values");
  }
}

/// How many values each child has to have.
std::int64_t needed_of_child(const TableType& type, const ArrowArray& array) {
  const std::int64_t end = array.offset + array.length;
  switch (type.storage) {
    case Storage::kList:
      return array.length == 0 || array.buffers[1] == nullptr ? 0 : integer_at(type, array, 1, end);
    case Storage::kStruct:
    case Storage::kSparseUnion:
      return end;
    case Storage::kFixedList:
      if (type.list_size > 0 && end > INT64_MAX / type.list_size) refuse_array(type, "too large a length or offset");
      return end * type.list_size;
    default:
      return 0;
  }
}

void check_array(const TableType& type, const ArrowArray& array, std::int64_t needed) {
  if (array.length < 0 || array.offset < 0) refuse_array(type, "a negative length or offset");
  if (array.length > INT64_MAX - array.offset) refuse_array(type, "too large a length or offset");
  if (array.length < needed) {
    refuse_array(type, std::to_string(array.length) + " values where " + std::to_string(needed) + " are needed");
  }
  check_buffers(type, array);
  const bool is_dictionary = type.storage == Storage::kDictionary;
  if (is_dictionary != (array.dictionary != nullptr)) {
    refuse_form(type, is_dictionary ? "no dictionary" : "a dictionary");
  }
  check_pointers(type, array);
  if (is_dictionary) return check_array(type.children[0], *array.dictionary, 0);
  if (array.n_children != static_cast<std::int64_t>(type.children.size())) {
    refuse_form(type, std::to_string(array.n_children) + " children");
  }
  if (array.n_children > 0 && array.children == nullptr) refuse_array(type, "no list of children");
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    if (array.children[i] == nullptr) refuse_array(type, "no child");
    check_array(type.children[i], *array.children[i], needed_of_child(type, array));
  }
  if (type.storage == Storage::kRunEnd) check_runs(type, array);
}

}  // namespace

void check_batch(const TableSchema& schema, const ArrowArray& batch) {
  if (batch.release == nullptr) throw Error("the batch has been released: give one that is not");
  if (batch.n_children != static_cast<std::int64_t>(schema.columns.size())) {
    throw Error("a batch has " + std::to_string(batch.n_children) + " columns, and the schema of the table has " +
                std::to_string(schema.columns.size()) + ": give batches of one schema");
  }
  if (batch.length < 0 || batch.offset < 0) throw Error("a batch has a negative length or offset: it is damaged");
  if (batch.length > INT64_MAX - batch.offset) throw Error("a batch has too large a length or offset: it is damaged");
  if (batch.n_buffers > 0 && batch.buffers == nullptr) throw Error("a batch has no list of buffers: it is damaged");
  if (batch.n_children > 0 && batch.children == nullptr) throw Error("a batch has no list of columns: it is damaged");
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    work_on_column(schema.names[i], [&] {
      if (batch.children[i] == nullptr) refuse_damaged("it is not there");
      check_array(schema.columns[i], *batch.children[i], batch.offset + batch.length);
    });
  }
}

}  // namespace sortie::table
