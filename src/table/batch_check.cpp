#include "table/batch_check.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "table/array_parts.hpp"
#include "table/column_errors.hpp"

namespace sortie::table {
namespace {

std::int64_t buffer_count(const TableType& type) {
  switch (type.storage) {
    case Storage::kNull:
    case Storage::kRunEnd:
      return 0;
    case Storage::kFixedList:
    case Storage::kStruct:
    case Storage::kSparseUnion:
      return 1;
    case Storage::kBits:
    case Storage::kFixed:
    case Storage::kDictionary:
    case Storage::kList:
    case Storage::kLargeList:
    case Storage::kDenseUnion:
      return 2;
    case Storage::kBinary:
    case Storage::kLargeBinary:
    case Storage::kBinaryView:
    case Storage::kListView:
    case Storage::kLargeListView:
      return 3;
  }
  return 0;
}

class BatchCheck {
 public:
  void run(const TableSchema& schema, const ArrowArray& batch) {
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
      name_ = &schema.names[i];
      if (batch.children[i] == nullptr) refuse_damaged(schema.names[i], "it is not there");
      array(schema.columns[i], *batch.children[i], batch.offset + batch.length);
    }
  }

 private:
  [[noreturn]] void refuse_damage(const TableType& type, const std::string& what) const {
    refuse_damaged(*name_, "an array of " + type.shown() + " has " + what);
  }

  /// For what an array of another type may have.
  [[noreturn]] void refuse_form(const TableType& type, const std::string& what) const {
    throw Error("column " + quote_word(*name_) + ": a batch has " + what + ", which is no " + type.shown() +
                ": give batches of the schema that the sort began with");
  }

  void array(const TableType& type, const ArrowArray& array, std::int64_t needed) {
    if (array.length < 0 || array.offset < 0) refuse_damage(type, "a negative length or offset");
    if (array.length > INT64_MAX - array.offset) refuse_damage(type, "too large a length or offset");
    if (array.length < needed) {
      refuse_damage(type, std::to_string(array.length) + " values where " + std::to_string(needed) + " are needed");
    }
    const std::int64_t buffers = buffer_count(type);
    // Views have any number of buffers with bytes, and arrays of nulls had a bitmap once.
    const bool may_have_more = type.storage == Storage::kBinaryView || type.storage == Storage::kNull;
    const bool has_buffers = may_have_more ? array.n_buffers >= buffers : array.n_buffers == buffers;
    if (!has_buffers) refuse_form(type, std::to_string(array.n_buffers) + " buffers");
    if (array.n_buffers > 0 && array.buffers == nullptr) refuse_damage(type, "no list of buffers");
    const bool is_dictionary = type.storage == Storage::kDictionary;
    if (is_dictionary != (array.dictionary != nullptr)) {
      refuse_form(type, is_dictionary ? "no dictionary" : "a dictionary");
    }
    check_pointers(type, array);
    if (is_dictionary) return this->array(type.children[0], *array.dictionary, 0);
    if (array.n_children != static_cast<std::int64_t>(type.children.size())) {
      refuse_form(type, std::to_string(array.n_children) + " children");
    }
    if (array.n_children > 0 && array.children == nullptr) refuse_damage(type, "no list of children");
    for (std::size_t i = 0; i < type.children.size(); ++i) {
      if (array.children[i] == nullptr) refuse_damage(type, "no child");
      this->array(type.children[i], *array.children[i], needed_of_child(type, array));
    }
    if (type.storage == Storage::kRunEnd) check_runs(type, array);
  }

  void check_runs(const TableType& type, const ArrowArray& array) const {
    const ArrowArray& ends = *array.children[0];
    if (array.length > 0 && ends.length == 0) refuse_damage(type, "no run");
    if (ends.length > array.children[1]->length) refuse_damage(type, "fewer values than runs");
    if (ends.length > 0 && ends.buffers[1] == nullptr) refuse_damage(type, "no buffer of run ends");
  }

  /// Values that are read need their buffers; where all are null, none is read.
  void check_pointers(const TableType& type, const ArrowArray& array) const {
    // The last buffer of texts holds nothing if they are empty; fixed_size_binary may have no bytes at all.
    const bool is_empty = array.length == 0 || (type.storage == Storage::kFixed && type.width == 0);
    if (is_empty) return;
    for (const std::size_t buffer : buffers_of_values(type)) {
      if (array.buffers[buffer] == nullptr && !is_all_null(type, array)) refuse_damage(type, "no buffer of values");
    }
  }

  static std::span<const std::size_t> buffers_of_values(const TableType& type) {
    static constexpr std::size_t kBuffers[] = {0, 1, 2};
    const std::span<const std::size_t> all(kBuffers);
    switch (type.storage) {
      case Storage::kNull:
      case Storage::kRunEnd:
      case Storage::kFixedList:
      case Storage::kStruct:
        return {};
      case Storage::kSparseUnion:
        return all.first(1);
      case Storage::kDenseUnion:
        return all.first(2);
      case Storage::kListView:
      case Storage::kLargeListView:
        return all.last(2);
      default:
        return all.subspan(1, 1);
    }
  }

  static bool is_all_null(const TableType& type, const ArrowArray& array) {
    const std::byte* const valid = validity_of(type, array);
    if (valid == nullptr) return false;
    for (std::int64_t i = 0; i < array.length; ++i) {
      if (bit_at(valid, array.offset + i)) return false;
    }
    return true;
  }

  std::int64_t needed_of_child(const TableType& type, const ArrowArray& array) const {
    switch (type.storage) {
      case Storage::kList:
      case Storage::kLargeList:
        return last_offset(type, array);
      case Storage::kStruct:
      case Storage::kSparseUnion:
        return array.offset + array.length;
      case Storage::kFixedList:
        return product(type, array.offset + array.length, type.list_size);
      default:
        return 0;
    }
  }

  std::int64_t product(const TableType& type, std::int64_t values, std::int64_t elements) const {
    if (elements > 0 && values > INT64_MAX / elements) refuse_damage(type, "too large a length or offset");
    return values * elements;
  }

  /// Where the elements of the last list end.
  static std::int64_t last_offset(const TableType& type, const ArrowArray& array) {
    const std::byte* const offsets = buffer_of(array, 1);
    if (array.length == 0 || offsets == nullptr) return 0;
    const auto last = static_cast<std::size_t>(array.offset + array.length);
    return load_integer(offsets + last * type.width, type.width, true);
  }

  const std::string* name_ = nullptr;
};

}  // namespace

void check_batch(const TableSchema& schema, const ArrowArray& batch) { BatchCheck().run(schema, batch); }

}  // namespace sortie::table
