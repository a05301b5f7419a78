// Keys of rows as the bytes by which a sort of tables orders them, for who checks, merges or compares rows that are in
// order already: no rows are encoded, and none is sorted.
#include <sortie/table_records.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <sortie/format.hpp>

#include "python/arrow_structs.hpp"
#include "python/bindings.hpp"
#include "python/table_sort.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

constexpr std::size_t kHeaderBytes = 8;  // of a length-prefixed record: two lengths of 32 bits (PREFIXED.md)

using Rows = std::vector<std::int32_t>;

nb::bytes bytes_of(const Rows& rows) { return nb::bytes(rows.data(), rows.size() * sizeof(Rows::value_type)); }

/// The keys of some rows, one behind the other.
class EncodedKeys {
 public:
  /// `fixed_bytes`: of each record; 0 for length-prefixed ones.
  explicit EncodedKeys(std::size_t fixed_bytes) : fixed_bytes_(fixed_bytes) {}

  void append(std::span<const std::byte> records) { bytes_.insert(bytes_.end(), records.begin(), records.end()); }

  /// Finds the keys in what was appended.
  void finish(std::size_t rows) {
    keys_.reserve(rows);
    for (std::size_t at = 0; at < bytes_.size();) {
      const std::byte* const record = bytes_.data() + at;
      std::uint32_t lengths[2] = {static_cast<std::uint32_t>(fixed_bytes_), 0};
      if (fixed_bytes_ == 0) std::memcpy(lengths, record, kHeaderBytes);
      const std::byte* const key = record + (fixed_bytes_ == 0 ? kHeaderBytes : 0);
      keys_.push_back({front_of(key, lengths[0]), key, lengths[0]});
      at += (fixed_bytes_ == 0 ? kHeaderBytes : 0) + std::size_t{lengths[0]} + lengths[1];
    }
    if (keys_.size() != rows) throw std::logic_error("rows and keys differ in number");
  }

  std::size_t size() const { return keys_.size(); }

  /// The first row that belongs in front of the one before it; for row 0 that is the last one of `before`.
  std::optional<std::size_t> first_descent(const EncodedKeys* before) const {
    const nb::gil_scoped_release unlocked;
    if (before != nullptr && !keys_.empty() && !before->keys_.empty() && keys_[0] < before->keys_.back()) return 0;
    const auto found = std::adjacent_find(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) { return b < a; });
    if (found == keys_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - keys_.begin()) + 1;
  }

  /// Below 0, 0 or above 0, as row `row` belongs in front of, beside or behind a row of others.
  int compare(std::size_t row, const EncodedKeys& other, std::size_t other_row) const {
    return keys_.at(row).compare(other.keys_.at(other_row));
  }

  /// Where the rows behind `begin` end that belong in front of a row of others, or beside it. Precondition: in order.
  std::size_t end_of(std::size_t begin, const EncodedKeys& other, std::size_t other_row, bool with_equal) const {
    const Key& bound = other.keys_.at(other_row);
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(std::min(begin, keys_.size()));
    const auto found =
        with_equal ? std::upper_bound(first, keys_.end(), bound) : std::lower_bound(first, keys_.end(), bound);
    return static_cast<std::size_t>(found - keys_.begin());
  }

  /// The first row of each stretch of equal keys.
  nb::bytes group_begins() const {
    Rows begins;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (i == 0 || !(keys_[i - 1] == keys_[i])) begins.push_back(static_cast<std::int32_t>(i));
    }
    return bytes_of(begins);
  }

  /// For each stretch of rows the first of those with the least key. `begins`: as group_begins() of other keys gives
  /// them.
  nb::bytes least_of_groups(const nb::bytes& begins) const {
    Rows rows(begins.size() / sizeof(Rows::value_type));
    std::memcpy(rows.data(), begins.data(), begins.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t end = i + 1 < rows.size() ? static_cast<std::size_t>(rows[i + 1]) : keys_.size();
      const auto first = keys_.begin() + rows[i];
      rows[i] = static_cast<std::int32_t>(std::min_element(first, keys_.begin() + static_cast<std::ptrdiff_t>(end)) -
                                          keys_.begin());
    }
    return bytes_of(rows);
  }

  struct Key {
    std::uint64_t front;  // the first 8 bytes as a number: most keys differ there
    const std::byte* bytes;
    std::uint32_t size;

    /// Below 0, 0 or above 0.
    int compare(const Key& other) const {
      if (front != other.front) return front < other.front ? -1 : 1;
      const int order = std::memcmp(bytes, other.bytes, std::min(size, other.size));
      if (order != 0) return order;
      return size == other.size ? 0 : (size < other.size ? -1 : 1);
    }
    friend bool operator<(const Key& a, const Key& b) { return a.compare(b) < 0; }
    friend bool operator==(const Key& a, const Key& b) {
      return a.front == b.front && a.size == b.size && std::memcmp(a.bytes, b.bytes, a.size) == 0;
    }
  };
  const std::vector<Key>& keys() const { return keys_; }

 private:
  static std::uint64_t front_of(const std::byte* key, std::size_t size) {
    std::uint64_t front = 0;
    std::memcpy(&front, key, std::min(size, sizeof front));
    return __builtin_bswap64(front);
  }

  std::size_t fixed_bytes_;
  std::vector<std::byte> bytes_;
  std::vector<Key> keys_;
};

/// Encodes keys. Made of a schema of columns that are all keys.
class KeyOrder {
 public:
  KeyOrder(nb::handle schema, const nb::list& keys, unsigned threads) {
    std::vector<TableKey> taken;
    for (const nb::handle key : keys) taken.push_back(table_key(key));
    records_ = std::make_unique<TableRecords>(struct_in<ArrowSchema>(schema), std::move(taken), threads);
  }

  std::unique_ptr<EncodedKeys> encode(nb::handle schema, nb::handle array) {
    const ArrowSchema& given = struct_in<ArrowSchema>(schema);
    ArrowOwner<ArrowArray> rows(struct_in<ArrowArray>(array));
    const auto count = static_cast<std::size_t>(rows->length);
    const nb::gil_scoped_release unlocked;
    const bool is_fixed = records_->format().kind == RecordKind::kFixed;
    auto keys = std::make_unique<EncodedKeys>(is_fixed ? static_cast<std::size_t>(records_->format().record_bytes) : 0);
    records_->require_schema(given);
    records_->encode(rows.get(), [&](std::span<const std::byte> bytes) { keys->append(bytes); });
    keys->finish(count);
    return keys;
  }

 private:
  std::unique_ptr<TableRecords> records_;
};

/// Rows of one source of a merge that are still to come.
struct Source {
  const EncodedKeys::Key* key;
  const EncodedKeys::Key* end;
  std::int32_t row;     // its number among the rows of all
  std::int32_t number;  // of the source: what is equal comes in this order

  /// Whether it comes behind the other: for a heap with the first one on top.
  friend bool operator<(const Source& a, const Source& b) {
    const int order = a.key->compare(*b.key);
    return order != 0 ? order > 0 : b.number < a.number;
  }
};

/// Makes a heap of what is one but for its first element.
void move_down(std::span<Source> heap) {
  std::size_t at = 0;
  for (std::size_t next = 1; next < heap.size(); next = 2 * at + 1) {
    if (next + 1 < heap.size() && heap[next] < heap[next + 1]) ++next;
    if (!(heap[at] < heap[next])) return;
    std::swap(heap[at], heap[next]);
    at = next;
  }
}

/// The numbers of rows in the order of all. The rows stand in stretches, each in order, one behind the other.
/// `stretches`: of (EncodedKeys, begin, end) each. Equal ones stay in their order.
nb::bytes merged_rows(const nb::list& stretches) {
  std::vector<Source> heap;
  std::int32_t rows = 0;
  for (const nb::handle given : stretches) {
    const auto stretch = nb::cast<nb::tuple>(given);
    const std::vector<EncodedKeys::Key>& keys = nb::cast<const EncodedKeys&>(stretch[0]).keys();
    const auto begin = nb::cast<std::size_t>(stretch[1]);
    const auto end = nb::cast<std::size_t>(stretch[2]);
    if (begin > end || end > keys.size()) throw std::out_of_range("rows that are not there");
    if (begin == end) continue;
    heap.push_back({keys.data() + begin, keys.data() + end, rows, static_cast<std::int32_t>(heap.size())});
    rows += static_cast<std::int32_t>(end - begin);
  }
  Rows order;
  {
    const nb::gil_scoped_release unlocked;
    order.reserve(static_cast<std::size_t>(rows));
    std::make_heap(heap.begin(), heap.end());
    while (!heap.empty()) {
      Source& first = heap.front();
      order.push_back(first.row++);
      if (++first.key == first.end) {
        first = heap.back();
        heap.pop_back();
      }
      move_down(heap);
    }
  }
  return bytes_of(order);
}

}  // namespace

void bind_key_order(nb::module_& module) {
  nb::class_<EncodedKeys>(module, "EncodedKeys")
      .def("__len__", &EncodedKeys::size)
      .def("first_descent", &EncodedKeys::first_descent, nb::arg("before").none())
      .def("compare", &EncodedKeys::compare, nb::arg("row"), nb::arg("other"), nb::arg("other_row"))
      .def("end_of", &EncodedKeys::end_of, nb::arg("begin"), nb::arg("other"), nb::arg("other_row"),
           nb::arg("with_equal"))
      .def("group_begins", &EncodedKeys::group_begins)
      .def("least_of_groups", &EncodedKeys::least_of_groups, nb::arg("begins"));
  nb::class_<KeyOrder>(module, "KeyOrder")
      .def(nb::init<nb::handle, const nb::list&, unsigned>(), nb::arg("schema"), nb::arg("keys"), nb::arg("threads"))
      .def("encode", &KeyOrder::encode, nb::arg("schema"), nb::arg("array"));
  module.def("merged_rows", &merged_rows, nb::arg("stretches"));
}

}  // namespace sortie::python
