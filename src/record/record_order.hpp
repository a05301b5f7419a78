// The order of whole records on the host: layout and key plan together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sortie/format.hpp>

#include "record/key_plan.hpp"
#include "record/layout.hpp"

namespace sortie {

/// A record in memory: its bytes with the delimiter, if the layout has one.
using Record = std::span<const std::byte>;

class RecordOrder {
 public:
  /// Throws Error as validate() does.
  explicit RecordOrder(const Format& format);

  const Layout& layout() const { return layout_; }
  const KeyPlan& plan() const { return plan_; }

  std::uint64_t prefix(Record record) const {
    return key_word(plan_, record.data(), key_length(layout_, record.size()), 0);
  }

  /// Whether equal prefixes may still hide unequal keys.
  bool key_exceeds_prefix() const { return plan_.whole_line || plan_.key_bytes > 8; }

  int compare(Record a, Record b, std::uint64_t first_word = 0) const {
    return compare_keys(plan_, a.data(), key_length(layout_, a.size()), b.data(), key_length(layout_, b.size()),
                        first_word);
  }

  /// The normalised key, at most `limit` bytes of it. Lines: the line's bytes, complemented when descending.
  std::vector<std::byte> normalised_key(Record record, std::size_t limit) const;

  /// Bytes of the whole normalised key.
  std::uint64_t key_bytes(Record record) const {
    return plan_.whole_line ? key_length(layout_, record.size()) : plan_.key_bytes;
  }

 private:
  Layout layout_;
  KeyPlan plan_;
};

}  // namespace sortie
