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
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <sortie/format.hpp>

#include "python/arrow_structs.hpp"
#include "python/bindings.hpp"
#include "python/table_sort.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

constexpr std::size_t kHeaderBytes = 8;  // of a length-prefixed record: two lengths of 32 bits (PREFIXED.md)

using Rows = std::vector<std::int32_t>;

nb::bytes bytes_of(const Rows& rows) { return nb::bytes(rows.data(), rows.size() * sizeof(Rows::value_type)); }

/// A key in front of its bytes: most keys differ in their first 16.
struct Key {
  std::uint64_t front, next;  // the first bytes as numbers, with zeros behind the last one
  const std::byte* bytes;
  std::uint32_t size;

  static Key of(const std::byte* bytes, std::uint32_t size) {
    std::uint64_t words[2] = {0, 0};
    size < sizeof words ? std::memcpy(words, bytes, size) : std::memcpy(words, bytes, sizeof words);
    return {__builtin_bswap64(words[0]), __builtin_bswap64(words[1]), bytes, size};
  }

  /// Below 0, 0 or above 0.
  int compare(const Key& other) const {
    if (front != other.front) return front < other.front ? -1 : 1;
    if (next != other.next) return next < other.next ? -1 : 1;
    const std::size_t both = std::min(size, other.size);
    constexpr std::size_t kKnown = sizeof front + sizeof next;
    const int order = both > kKnown ? std::memcmp(bytes + kKnown, other.bytes + kKnown, both - kKnown) : 0;
    if (order != 0) return order;
    return size == other.size ? 0 : (size < other.size ? -1 : 1);
  }
  friend bool operator<(const Key& a, const Key& b) { return a.compare(b) < 0; }
  friend bool operator==(const Key& a, const Key& b) { return a.compare(b) == 0; }
};

/// The memory of the keys of some rows.
struct KeyMemory {
  std::vector<std::byte> bytes;
  std::vector<Key> keys;
};

/// Memory of keys that are gone, for the next ones. Threads may call it at once.
class KeyMemoryPool {
 public:
  KeyMemory take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return {};
    KeyMemory memory = std::move(free_.back());
    free_.pop_back();
    return memory;
  }

  void give_back(KeyMemory memory) {
    memory.bytes.clear();
    memory.keys.clear();
    const std::scoped_lock lock(mutex_);
    if (free_.size() < kMostFree) free_.push_back(std::move(memory));
  }

 private:
  static constexpr std::size_t kMostFree = 2;  // one batch is encoded at a time

  std::mutex mutex_;
  std::vector<KeyMemory> free_;
};

/// The keys of some rows, one behind the other.
class EncodedKeys {
 public:
  /// `fixed_bytes`: of each record; 0 for length-prefixed ones.
  EncodedKeys(std::size_t fixed_bytes, std::shared_ptr<KeyMemoryPool> pool)
      : fixed_bytes_(fixed_bytes), pool_(std::move(pool)), memory_(pool_->take()) {}
  ~EncodedKeys() { pool_->give_back(std::move(memory_)); }
  EncodedKeys(const EncodedKeys&) = delete;
  EncodedKeys& operator=(const EncodedKeys&) = delete;

  void append(std::span<const std::byte> records) {
    memory_.bytes.insert(memory_.bytes.end(), records.begin(), records.end());
  }

  /// Finds the keys in what was appended.
  void finish(std::size_t rows) {
    const std::vector<std::byte>& bytes = memory_.bytes;
    memory_.keys.reserve(rows);
    for (std::size_t at = 0; at < bytes.size();) {
      const std::byte* const record = bytes.data() + at;
      std::uint32_t lengths[2] = {static_cast<std::uint32_t>(fixed_bytes_), 0};
      if (fixed_bytes_ == 0) std::memcpy(lengths, record, kHeaderBytes);
      memory_.keys.push_back(Key::of(record + (fixed_bytes_ == 0 ? kHeaderBytes : 0), lengths[0]));
      at += (fixed_bytes_ == 0 ? kHeaderBytes : 0) + std::size_t{lengths[0]} + lengths[1];
    }
    if (keys().size() != rows) throw std::logic_error("rows and keys differ in number");
  }

  std::size_t size() const { return keys().size(); }

  /// The first row that belongs in front of the one before it; for row 0 that is the last one of `before`.
  std::optional<std::size_t> first_descent(const EncodedKeys* before) const {
    if (before != nullptr && !keys().empty() && !before->keys().empty() && keys()[0] < before->keys().back()) return 0;
    auto found = keys().end();
    WatchedCall::run_unwatched([&] {
      found = std::adjacent_find(keys().begin(), keys().end(), [](const Key& a, const Key& b) { return b < a; });
    });
    if (found == keys().end()) return std::nullopt;
    return static_cast<std::size_t>(found - keys().begin()) + 1;
  }

  /// Below 0, 0 or above 0, as row `row` belongs in front of, beside or behind a row of others.
  int compare(std::size_t row, const EncodedKeys& other, std::size_t other_row) const {
    return keys().at(row).compare(other.keys().at(other_row));
  }

  /// Where the rows behind `begin` end that belong in front of a row of others, or beside it. Precondition: in order.
  std::size_t end_of(std::size_t begin, const EncodedKeys& other, std::size_t other_row, bool with_equal) const {
    const Key& bound = other.keys().at(other_row);
    const auto first = keys().begin() + static_cast<std::ptrdiff_t>(std::min(begin, keys().size()));
    const auto found =
        with_equal ? std::upper_bound(first, keys().end(), bound) : std::lower_bound(first, keys().end(), bound);
    return static_cast<std::size_t>(found - keys().begin());
  }

  /// The first row of each stretch of equal keys.
  nb::bytes group_begins() const {
    Rows begins;
    for (std::size_t i = 0; i < keys().size(); ++i) {
      if (i == 0 || !(keys()[i - 1] == keys()[i])) begins.push_back(static_cast<std::int32_t>(i));
    }
    return bytes_of(begins);
  }

  /// For each stretch of rows the first of those with the least key. `begins`: as group_begins() of other keys gives
  /// them.
  nb::bytes least_of_groups(const nb::bytes& begins) const {
    Rows rows(begins.size() / sizeof(Rows::value_type));
    std::memcpy(rows.data(), begins.data(), begins.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t end = i + 1 < rows.size() ? static_cast<std::size_t>(rows[i + 1]) : keys().size();
      const auto first = keys().begin() + rows[i];
      rows[i] = static_cast<std::int32_t>(std::min_element(first, keys().begin() + static_cast<std::ptrdiff_t>(end)) -
                                          keys().begin());
    }
    return bytes_of(rows);
  }

  const std::vector<Key>& keys() const { return memory_.keys; }

 private:
  std::size_t fixed_bytes_;
  std::shared_ptr<KeyMemoryPool> pool_;
  KeyMemory memory_;
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
    std::unique_ptr<EncodedKeys> keys;
    WatchedCall::run_unwatched([&] {
      const bool is_fixed = records_->format().kind == RecordKind::kFixed;
      keys = std::make_unique<EncodedKeys>(is_fixed ? static_cast<std::size_t>(records_->format().record_bytes) : 0,
                                           memory_);
      records_->require_schema(given);
      records_->encode(rows.get(), [&](std::span<const std::byte> bytes) { keys->append(bytes); });
      keys->finish(count);
    });
    return keys;
  }

 private:
  std::unique_ptr<TableRecords> records_;
  std::shared_ptr<KeyMemoryPool> memory_ = std::make_shared<KeyMemoryPool>();
};

/// Rows of one source of a merge that are still to come.
struct Source {
  const Key* key;
  const Key* end;
  std::int32_t row;  // its number among the rows of all
};

/// Gives the rows of sources in order, by a tree of losers (Knuth 5.4.1): a row costs as many comparisons as the tree
/// is deep. What is equal comes in the order of the sources.
class LoserTree {
 public:
  /// Precondition: each source has a row.
  explicit LoserTree(std::vector<Source> sources) : sources_(std::move(sources)), losers_(sources_.size()) {
    std::vector<std::size_t> winners(2 * sources_.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) winners[sources_.size() + i] = i;
    for (std::size_t node = sources_.size(); node-- > 1;) {
      std::size_t winner = winners[2 * node], loser = winners[2 * node + 1];
      if (comes_before(loser, winner)) std::swap(winner, loser);
      losers_[node] = loser;
      winners[node] = winner;
    }
    winner_ = winners[1];
  }

  /// The number of the next row. Precondition: there is one.
  std::int32_t next() {
    Source& source = sources_[winner_];
    const std::int32_t row = source.row++;
    ++source.key;
    for (std::size_t node = (sources_.size() + winner_) / 2; node > 0; node /= 2) {
      if (comes_before(losers_[node], winner_)) std::swap(losers_[node], winner_);
    }
    return row;
  }

 private:
  bool comes_before(std::size_t a, std::size_t b) const {
    if (sources_[a].key == sources_[a].end) return false;
    if (sources_[b].key == sources_[b].end) return true;
    const int order = sources_[a].key->compare(*sources_[b].key);
    return order != 0 ? order < 0 : a < b;
  }

  std::vector<Source> sources_;
  std::vector<std::size_t> losers_;  // of the game at each node; node i has the nodes 2 i and 2 i + 1 below it
  std::size_t winner_ = 0;
};

/// The numbers of rows in the order of all. The rows stand in stretches, each in order, one behind the other.
/// `stretches`: of (EncodedKeys, begin, end) each. Equal ones stay in their order.
nb::bytes merged_rows(const nb::list& stretches) {
  std::vector<Source> sources;
  std::int32_t rows = 0;
  for (const nb::handle given : stretches) {
    const auto stretch = nb::cast<nb::tuple>(given);
    const std::vector<Key>& keys = nb::cast<const EncodedKeys&>(stretch[0]).keys();
    const auto begin = nb::cast<std::size_t>(stretch[1]);
    const auto end = nb::cast<std::size_t>(stretch[2]);
    if (begin > end || end > keys.size()) throw std::out_of_range("rows that are not there");
    if (begin == end) continue;
    sources.push_back({keys.data() + begin, keys.data() + end, rows});
    rows += static_cast<std::int32_t>(end - begin);
  }
  Rows order(static_cast<std::size_t>(rows));
  if (rows > 0) {
    WatchedCall::run_unwatched([&] {
      LoserTree tree(std::move(sources));
      for (std::int32_t& row : order) row = tree.next();
    });
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
