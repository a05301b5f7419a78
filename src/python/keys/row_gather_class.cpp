// Rows of several batches into one batch, in the order that a merge found: each value is copied once, into memory that
// is used again. merge_windows.py calls it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "python/arrow_structs.hpp"
#include "python/bindings.hpp"
#include "python/keys/column_gather.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// The rows as a struct that owns them.
ArrowOwner<ArrowArray> batch_of(std::unique_ptr<GatheredRows> rows, std::size_t row_count) {
  for (std::size_t i = 0; i < rows->children.size(); ++i) {
    rows->children[i].buffers = rows->buffers[i].data();
    rows->pointers.push_back(&rows->children[i]);
  }
  ArrowArray batch{};
  batch.length = static_cast<std::int64_t>(row_count);
  batch.n_buffers = 1;
  batch.buffers = &rows->no_nulls;
  batch.n_children = static_cast<std::int64_t>(rows->children.size());
  batch.children = rows->pointers.data();
  batch.private_data = rows.release();
  batch.release = [](ArrowArray* released) {
    delete static_cast<GatheredRows*>(released->private_data);
    released->release = nullptr;
  };
  auto owner = std::make_shared<const ArrowOwner<ArrowArray>>(batch);
  return share(owner, **owner);
}

/// Finds rows by their numbers, which go on from part to part. What it gives lasts until the next call: both lists use
/// their memory again.
class RowPlaces {
 public:
  std::span<const Place> of(std::span<const std::int32_t> order, std::span<const std::size_t> part_rows) {
    known_.clear();
    for (std::size_t part = 0; part < part_rows.size(); ++part) {
      for (std::size_t row = 0; row < part_rows[part]; ++row) {
        known_.push_back({static_cast<std::uint32_t>(part), static_cast<std::uint32_t>(row)});
      }
    }
    places_.clear();
    places_.reserve(order.size());
    for (const std::int32_t number : order) places_.push_back(known_.at(static_cast<std::size_t>(number)));
    return places_;
  }

 private:
  std::vector<Place> known_, places_;
};

/// See the head of the file. Batches that it gives may be used, and released, by any thread.
class RowGather {
 public:
  /// `most_free_bytes`: of memory that is kept for the next batches.
  explicit RowGather(std::size_t most_free_bytes) : pool_(SlabPool::create(most_free_bytes)) {}

  /// The numbers of the columns of a schema that it can copy.
  static std::vector<std::int64_t> columns(nb::handle schema) {
    const ArrowSchema& given = struct_in<ArrowSchema>(schema);
    std::vector<std::int64_t> found;
    for (std::int64_t i = 0; i < given.n_children; ++i) {
      if (shape_of(*given.children[i])) found.push_back(i);
    }
    return found;
  }

  /// `parts`: batches of one schema with such columns alone, as __arrow_c_array__() gives them. `order`: the numbers of
  /// rows, which go on from part to part, as integers of 32 bits. Returns a batch as __arrow_c_array__() does.
  nb::tuple gather(const nb::list& parts, const nb::bytes& order) {
    std::vector<ArrowOwner<ArrowArray>> batches;
    std::optional<ArrowOwner<ArrowSchema>> schema;
    for (const nb::handle given : parts) {
      const auto capsules = nb::cast<nb::tuple>(given);
      if (!schema) schema.emplace(struct_in<ArrowSchema>(capsules[0]));
      batches.emplace_back(struct_in<ArrowArray>(capsules[1]));
    }
    if (!schema) throw std::invalid_argument("no batches");
    const std::span numbers(reinterpret_cast<const std::int32_t*>(order.c_str()), order.size() / sizeof(std::int32_t));
    ArrowOwner<ArrowArray> made;
    WatchedCall::run_unwatched([&] {
      made = gathered(**schema, batches, numbers);
      batches.clear();
    });
    return nb::make_tuple(make_capsule(std::move(*schema)), make_capsule(std::move(made)));
  }

 private:
  ArrowOwner<ArrowArray> gathered(const ArrowSchema& schema, const std::vector<ArrowOwner<ArrowArray>>& batches,
                                  std::span<const std::int32_t> order) {
    std::vector<std::size_t> part_rows;
    part_rows.reserve(batches.size());
    for (const ArrowOwner<ArrowArray>& batch : batches) part_rows.push_back(static_cast<std::size_t>((*batch).length));
    const std::scoped_lock lock(mutex_);
    const std::span<const Place> places = places_.of(order, part_rows);
    auto rows = std::make_unique<GatheredRows>(pool_);
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      const std::optional<ColumnShape> shape = shape_of(*schema.children[i]);
      if (!shape) throw std::invalid_argument("a column that is not copied here");
      std::vector<PartColumn> columns;
      for (const ArrowOwner<ArrowArray>& batch : batches) {
        const ArrowArray& column = *(*batch).children[i];
        columns.push_back({&column, static_cast<std::size_t>((*batch).offset + column.offset)});
      }
      gather_column(*shape, places, columns, *rows);
    }
    return batch_of(std::move(rows), order.size());
  }

  std::shared_ptr<SlabPool> pool_;
  std::mutex mutex_;
  RowPlaces places_;
};

}  // namespace

void bind_row_gather(nb::module_& module) {
  nb::class_<RowGather>(module, "RowGather")
      .def(nb::init<std::size_t>(), nb::arg("most_free_bytes"))
      .def_static("columns", &RowGather::columns, nb::arg("schema"))
      .def("gather", &RowGather::gather, nb::arg("parts"), nb::arg("order"));
}

}  // namespace sortie::python
