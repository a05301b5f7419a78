// Rows of several batches into one batch, in the order that a merge found: each value is copied once, into memory that
// is used again, since fresh memory costs the processor more than the copies. merge_windows.py calls it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "python/arrow_structs.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

constexpr std::size_t kBlockAlignment = 64;  // as Arrow wishes

struct FreeBlock {
  void operator()(std::byte* block) const { ::operator delete (block, std::align_val_t{kBlockAlignment}); }
};

struct Block {
  std::unique_ptr<std::byte, FreeBlock> bytes;
  std::size_t size = 0;
};

/// Blocks that batches gave back, for the next ones. Threads may call it at once.
class BlockPool {
 public:
  /// `most_bytes`: that are kept while nobody has them.
  explicit BlockPool(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  Block take(std::size_t bytes) {
    {
      const std::scoped_lock lock(mutex_);
      const auto found = free_.lower_bound(bytes);
      if (found != free_.end() && found->first <= 2 * bytes + kSmallBytes) {
        Block block = std::move(found->second);
        free_.erase(found);
        free_bytes_ -= block.size;
        return block;
      }
    }
    const std::size_t size = bytes + bytes / 8 + kBlockAlignment;  // the next one may be a little larger
    return {std::unique_ptr<std::byte, FreeBlock>(
                static_cast<std::byte*>(::operator new (size, std::align_val_t{kBlockAlignment}))),
            size};
  }

  void give_back(Block block) {
    const std::scoped_lock lock(mutex_);
    if (free_bytes_ + block.size > most_bytes_) return;
    free_bytes_ += block.size;
    const std::size_t size = block.size;
    free_.emplace(size, std::move(block));
  }

 private:
  static constexpr std::size_t kSmallBytes = 4096;

  std::mutex mutex_;
  std::multimap<std::size_t, Block> free_;
  std::size_t most_bytes_;
  std::size_t free_bytes_ = 0;
};

enum class Shape : std::uint8_t { kFixed, kBits, kShortTexts, kLongTexts };

struct ColumnShape {
  Shape shape;
  std::size_t width = 0;  // bytes of a kFixed value
};

/// None for types whose rows are not copied here: dictionaries, views, and what has columns in it.
std::optional<ColumnShape> shape_of(const ArrowSchema& column) {
  const std::string_view format = column.format;
  if (column.dictionary != nullptr || column.n_children != 0 || format.empty()) return std::nullopt;
  switch (format[0]) {
    case 'b':
      return ColumnShape{Shape::kBits};
    case 'c':
    case 'C':
      return ColumnShape{Shape::kFixed, 1};
    case 's':
    case 'S':
    case 'e':
      return ColumnShape{Shape::kFixed, 2};
    case 'i':
    case 'I':
    case 'f':
      return ColumnShape{Shape::kFixed, 4};
    case 'l':
    case 'L':
    case 'g':
      return ColumnShape{Shape::kFixed, 8};
    case 'u':
    case 'z':
      return ColumnShape{Shape::kShortTexts};
    case 'U':
    case 'Z':
      return ColumnShape{Shape::kLongTexts};
    default:
      break;
  }
  const std::string_view time = format.substr(0, 3);
  if (time == "tdD" || time == "tts" || time == "ttm") return ColumnShape{Shape::kFixed, 4};
  if (time == "tdm" || time == "ttu" || time == "ttn" || format.starts_with("ts") || format.starts_with("tD")) {
    return ColumnShape{Shape::kFixed, 8};
  }
  return std::nullopt;
}

/// Where a row comes from.
struct Place {
  std::uint32_t part;
  std::uint32_t row;
};

bool bit_at(const void* bits, std::size_t at) {
  return (static_cast<const std::uint8_t*>(bits)[at / 8] >> at % 8 & 1U) != 0;
}

/// One column of all parts, each from its first row on.
struct PartColumn {
  const ArrowArray* array;
  std::size_t offset;  // of the first row in its buffers

  bool has_nulls() const { return array->buffers[0] != nullptr && array->null_count != 0; }
  bool is_valid(std::size_t row) const { return !has_nulls() || bit_at(array->buffers[0], offset + row); }
};

/// What a batch that was made consists of.
struct GatheredRows {
  explicit GatheredRows(std::shared_ptr<BlockPool> given) : pool(std::move(given)) {}
  ~GatheredRows() {
    for (Block& block : blocks) pool->give_back(std::move(block));
  }
  GatheredRows(const GatheredRows&) = delete;
  GatheredRows& operator=(const GatheredRows&) = delete;

  std::byte* new_block(std::size_t bytes) {
    blocks.push_back(pool->take(bytes));
    return blocks.back().bytes.get();
  }

  std::shared_ptr<BlockPool> pool;
  std::vector<Block> blocks;
  std::vector<std::array<const void*, 3>> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  const void* no_nulls = nullptr;
};

template <std::size_t kWidth>
void copy_values(std::span<const Place> places, const std::vector<const std::byte*>& bases, std::byte* out) {
  for (const Place& place : places) {
    std::memcpy(out, bases[place.part] + place.row * kWidth, kWidth);
    out += kWidth;
  }
}

void gather_fixed(std::span<const Place> places, std::span<const PartColumn> parts, std::size_t width, std::byte* out) {
  std::vector<const std::byte*> bases;
  for (const PartColumn& part : parts) {
    bases.push_back(static_cast<const std::byte*>(part.array->buffers[1]) + part.offset * width);
  }
  switch (width) {
    case 1:
      return copy_values<1>(places, bases, out);
    case 2:
      return copy_values<2>(places, bases, out);
    case 4:
      return copy_values<4>(places, bases, out);
    default:
      return copy_values<8>(places, bases, out);
  }
}

/// Makes bits of is_set(place), and returns how many are not set.
template <class IsSet>
std::int64_t gather_bits(std::span<const Place> places, std::byte* out, const IsSet& is_set) {
  std::int64_t missing = 0;
  std::memset(out, 0, (places.size() + 7) / 8);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (is_set(places[i])) {
      out[i / 8] |= static_cast<std::byte>(1U << i % 8);
    } else {
      ++missing;
    }
  }
  return missing;
}

template <class Offset>
void gather_texts(std::span<const Place> places, std::span<const PartColumn> parts, GatheredRows& rows,
                  std::array<const void*, 3>& buffers) {
  auto* const offsets = reinterpret_cast<Offset*>(rows.new_block((places.size() + 1) * sizeof(Offset)));
  std::vector<const Offset*> begins;
  for (const PartColumn& part : parts)
    begins.push_back(static_cast<const Offset*>(part.array->buffers[1]) + part.offset);
  std::uint64_t total = 0;
  offsets[0] = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Offset* const begin = begins[places[i].part] + places[i].row;
    total += static_cast<std::uint64_t>(begin[1] - begin[0]);
    offsets[i + 1] = static_cast<Offset>(total);
  }
  if (total != static_cast<std::uint64_t>(offsets[places.size()]))
    throw std::length_error("more text than a column holds");
  std::byte* out = rows.new_block(total);
  buffers = {nullptr, offsets, out};
  for (const Place& place : places) {
    const Offset* const begin = begins[place.part] + place.row;
    const auto size = static_cast<std::size_t>(begin[1] - begin[0]);
    if (size != 0)
      std::memcpy(out, static_cast<const std::byte*>(parts[place.part].array->buffers[2]) + begin[0], size);
    out += size;
  }
}

/// Makes the next column of `rows`.
void gather_column(ColumnShape shape, std::span<const Place> places, std::span<const PartColumn> parts,
                   GatheredRows& rows) {
  std::array<const void*, 3> buffers{};
  std::int64_t buffer_count = 2;
  if (shape.shape == Shape::kShortTexts || shape.shape == Shape::kLongTexts) {
    buffer_count = 3;
    shape.shape == Shape::kShortTexts ? gather_texts<std::int32_t>(places, parts, rows, buffers)
                                      : gather_texts<std::int64_t>(places, parts, rows, buffers);
  } else if (shape.shape == Shape::kBits) {
    std::byte* const bits = rows.new_block((places.size() + 7) / 8);
    gather_bits(places, bits, [&](const Place& place) {
      const PartColumn& part = parts[place.part];
      return bit_at(part.array->buffers[1], part.offset + place.row);
    });
    buffers[1] = bits;
  } else {
    std::byte* const values = rows.new_block(places.size() * shape.width);
    gather_fixed(places, parts, shape.width, values);
    buffers[1] = values;
  }
  std::int64_t nulls = 0;
  if (std::any_of(parts.begin(), parts.end(), [](const PartColumn& part) { return part.has_nulls(); })) {
    std::byte* const bits = rows.new_block((places.size() + 7) / 8);
    nulls = gather_bits(places, bits, [&](const Place& place) { return parts[place.part].is_valid(place.row); });
    buffers[0] = bits;
  }
  rows.buffers.push_back(buffers);
  ArrowArray child{};
  child.length = static_cast<std::int64_t>(places.size());
  child.null_count = nulls;
  child.n_buffers = buffer_count;
  rows.children.push_back(child);
}

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

/// The places of rows by their numbers, which go on from part to part.
std::vector<Place> places_of(std::span<const std::int32_t> order, const std::vector<std::size_t>& part_rows) {
  std::vector<Place> known;
  for (std::size_t part = 0; part < part_rows.size(); ++part) {
    for (std::size_t row = 0; row < part_rows[part]; ++row) {
      known.push_back({static_cast<std::uint32_t>(part), static_cast<std::uint32_t>(row)});
    }
  }
  std::vector<Place> places;
  places.reserve(order.size());
  for (const std::int32_t number : order) places.push_back(known.at(static_cast<std::size_t>(number)));
  return places;
}

/// See the head of the file. Batches that it gives may be used, and released, by any thread.
class RowGather {
 public:
  /// `most_free_bytes`: of memory that is kept for the next batches.
  explicit RowGather(std::size_t most_free_bytes) : pool_(std::make_shared<BlockPool>(most_free_bytes)) {}

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
    {
      const nb::gil_scoped_release unlocked;
      made = gathered(**schema, batches, numbers);
      batches.clear();
    }
    return nb::make_tuple(make_capsule(std::move(*schema)), make_capsule(std::move(made)));
  }

 private:
  ArrowOwner<ArrowArray> gathered(const ArrowSchema& schema, const std::vector<ArrowOwner<ArrowArray>>& batches,
                                  std::span<const std::int32_t> order) {
    std::vector<std::size_t> part_rows;
    for (const ArrowOwner<ArrowArray>& batch : batches) part_rows.push_back(static_cast<std::size_t>((*batch).length));
    const std::vector<Place> places = places_of(order, part_rows);
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

  std::shared_ptr<BlockPool> pool_;
};

}  // namespace

void bind_row_gather(nb::module_& module) {
  nb::class_<RowGather>(module, "RowGather")
      .def(nb::init<std::size_t>(), nb::arg("most_free_bytes"))
      .def_static("columns", &RowGather::columns, nb::arg("schema"))
      .def("gather", &RowGather::gather, nb::arg("parts"), nb::arg("order"));
}

}  // namespace sortie::python
