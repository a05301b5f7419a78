// The order of records as they lie in a file. A length-prefixed record orders as a line does that is its key.
#pragma once

#include <cstdint>

#include <sortie/format.hpp>

#include "record/prefixed/prefixed_records.hpp"
#include "record/record_order.hpp"

namespace sortie::tools {

class CheckedOrder {
 public:
  /// Throws Error as validate() does.
  explicit CheckedOrder(const Format& format) : layout_(layout_of(format)), keys_(order_of_keys(format)) {}

  const Layout& layout() const { return layout_; }
  /// The order of what key_of() gives, for words of it.
  const RecordOrder& keys() const { return keys_; }

  /// The part of a record in which its key lies, without a delimiter.
  Record key_of(Record record) const {
    if (layout_.prefixed()) return PrefixedParts(record).key;
    return record.first(static_cast<std::size_t>(key_length(layout_, record.size())));
  }

  /// Compares the keys of two records, which begin alike up to `first_word`.
  int compare(Record a, Record b, std::uint64_t first_word = 0) const {
    const Record key_a = key_of(a);
    const Record key_b = key_of(b);
    return compare_keys(keys_.plan(), key_a.data(), key_a.size(), key_b.data(), key_b.size(), first_word);
  }

 private:
  static Format order_of_keys(const Format& format) {
    if (format.kind != RecordKind::kPrefixed) return format;
    Format keys_as_lines;
    keys_as_lines.descending = format.descending;
    return keys_as_lines;
  }

  Layout layout_;
  RecordOrder keys_;
};

}  // namespace sortie::tools
