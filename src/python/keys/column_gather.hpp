// Values of columns of several batches, copied into one column in an order of rows. RowGather puts columns together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "python/keys/slab_pool.hpp"

namespace sortie::python {

enum class Shape : std::uint8_t { kFixed, kBits, kShortTexts, kLongTexts };

struct ColumnShape {
  Shape shape;
  std::size_t width = 0;  // bytes of a kFixed value
};

/// None for types whose rows are not copied here: dictionaries, views, and what has columns in it.
std::optional<ColumnShape> shape_of(const ArrowSchema& column);

/// Where a row comes from.
struct Place {
  std::uint32_t part;
  std::uint32_t row;
};

/// One column of all parts, each from its first row on.
struct PartColumn {
  const ArrowArray* array;
  std::size_t offset;  // of the first row in its buffers

  bool has_nulls() const { return array->buffers[0] != nullptr && array->null_count != 0; }
};

/// What a batch that was made consists of.
struct GatheredRows {
  explicit GatheredRows(std::shared_ptr<SlabPool> given) : pool(std::move(given)) {}

  std::byte* new_block(std::size_t bytes) {
    SlabPool::Piece piece = pool->take(bytes);
    if (slabs.empty() || slabs.back() != piece.slab) slabs.push_back(std::move(piece.slab));
    return piece.bytes;
  }

  std::shared_ptr<SlabPool> pool;
  std::vector<std::shared_ptr<const Slab>> slabs;  // that hold its columns
  std::vector<std::array<const void*, 3>> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  const void* no_nulls = nullptr;
};

/// Makes the next column of `rows`. Throws std::length_error for more text than one holds.
void gather_column(ColumnShape shape, std::span<const Place> places, std::span<const PartColumn> parts,
                   GatheredRows& rows);

}  // namespace sortie::python
