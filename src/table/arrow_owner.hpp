// Owners of the structures of the Arrow C data interface: batches that came, and what is handed to the caller, which is
// columns without a copy, and a copy of the schema that came.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/column_data.hpp"
#include "table/column_pool.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Releases an ArrowSchema or ArrowArray in the end.
template <class Struct>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  /// Takes over what is in `given`, and leaves nothing there.
  explicit ArrowOwner(Struct& given) : held_(std::exchange(given, Struct{})) {}
  ~ArrowOwner() {
    if (held_.release != nullptr) held_.release(&held_);
  }
  ArrowOwner(ArrowOwner&& other) noexcept : ArrowOwner(other.held_) {}
  ArrowOwner& operator=(ArrowOwner&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }

  const Struct& operator*() const { return held_; }
  /// For the structure that holds this one.
  Struct* pointer() { return held_.release == nullptr ? nullptr : &held_; }
  /// Hands the structure over.
  Struct release() { return std::exchange(held_, Struct{}); }

 private:
  Struct held_{};
};

/// A copy of a schema with all that is in it. Precondition: it is not released.
ArrowOwner<ArrowSchema> copy_of(const ArrowSchema& schema);

/// A struct array with these columns. `dictionaries`: by number. `pool`: gets their memory in the end; may be null.
ArrowOwner<ArrowArray> export_batch(const TableSchema& schema, std::vector<ColumnData> columns, std::int64_t rows,
                                    std::span<const std::shared_ptr<const ColumnData>> dictionaries,
                                    ColumnPool* pool = nullptr);

/// Rows of such columns, which it shares. Precondition: they have no children and no dictionaries.
ArrowOwner<ArrowArray> export_rows(const TableSchema& schema,
                                   std::span<const std::shared_ptr<const ColumnData>> columns, std::int64_t first,
                                   std::int64_t rows);

}  // namespace sortie::table
