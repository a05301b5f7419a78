// Where the keys of a decorated line end, and where the ranks of its collated keys are. The line decorator writes lines
// by it and reads them again.
//
//   | key 1 | end | rank | key 2 | end | ...             a rank only behind a collated key
#pragma once

#include <cstddef>
#include <vector>

#include "record/record_order.hpp"

namespace sortie {

class KeyLayout {
 public:
  void add(std::byte end_mark, bool is_collated);

  std::size_t size() const { return keys_.size(); }
  std::size_t collated_count() const { return collated_.size(); }
  bool is_collated(std::size_t key) const { return keys_[key].is_collated; }
  std::byte first_end_mark() const { return keys_.front().end_mark; }
  /// The number of a collated key among all. Precondition: rank < collated_count().
  std::size_t collated_key(std::size_t rank) const { return collated_[rank]; }

  /// Offset behind the end mark of a key that begins at `at`.
  std::size_t behind_mark(Record line, std::size_t at, std::size_t key) const;
  /// Offset behind the rank that follows that mark, if one does.
  std::size_t behind_key(std::size_t behind_mark, std::size_t key) const;
  /// Offset behind the first `count` keys.
  std::size_t behind_keys(Record line, std::size_t count) const;
  /// Offset of a rank. The bytes in front of it tell lines apart without it.
  std::size_t rank_offset(Record line, std::size_t rank) const;

 private:
  struct Key {
    std::byte end_mark;
    bool is_collated;
  };

  std::vector<Key> keys_;
  std::vector<std::size_t> collated_;
};

}  // namespace sortie
