// Whether the keys of two records are equal. Of a decorated line, only the keys in front count: what follows them
// differs between lines with equal keys, to keep them in order. Used wherever duplicates are found or dropped.
#pragma once

#include <cstdint>

#include "base/checksum.hpp"
#include "record/record_order.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

class KeyEquality {
 public:
  /// `decorator`: for decorated lines, null otherwise. Both must outlive this.
  KeyEquality(const RecordOrder& order, const LineDecorator* decorator) : order_(order), decorator_(decorator) {}

  bool operator()(Record a, Record b) const {
    return decorator_ != nullptr ? decorator_->equal_keys(a, b) : order_.compare(a, b) == 0;
  }

  /// A hash of the keys: records with equal keys have the same.
  std::uint64_t hash(Record record) const {
    if (decorator_ != nullptr) return hash_record(decorator_->keys(record)).low;
    return order_.plan().whole_line ? hash_record(record).low : order_.prefix(record);
  }

 private:
  const RecordOrder& order_;
  const LineDecorator* decorator_;
};

}  // namespace sortie
