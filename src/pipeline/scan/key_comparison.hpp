// How the keys of two records compare, also those of decorated lines. Used wherever records are compared one with
// another: in merges of inputs, scans, selections, and where duplicates are found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/checksum.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

// Original records: as they were read, although lines may carry keys on their way through a sort. Used where records
// are counted, shown or reported, and not changed.

/// `record` as it was read, without its keys. `codec`: for decorated lines, null otherwise. The result lies in
/// `record`, or in `scratch` until that is used again.
inline Record original_record(const RecordCodec* codec, Record record, std::vector<std::byte>& scratch) {
  return codec == nullptr ? record : codec->original(record, scratch);
}

/// Totals of one original line or record of fixed length.
inline RecordTotals totals_of_one(Record record, bool checksum) {
  return {1, record.size(), checksum ? hash_record(record) : Checksum()};
}

/// The true order of records, also of decorated lines with open ranks: their bytes do not tell it, so strcoll() is
/// asked.
class ExactOrder {
 public:
  /// `codec`: for decorated lines, null otherwise. Both must outlive this.
  explicit ExactOrder(const RecordOrder& order, const RecordCodec* codec = nullptr)
      : order_(order), collation_(codec != nullptr && codec->collates() ? codec : nullptr) {}

  const RecordOrder& by_bytes() const { return order_; }
  const Layout& layout() const { return order_.layout(); }

  /// Whether by_bytes() is this order.
  bool is_by_bytes() const { return collation_ == nullptr; }

  /// Negative, zero or positive. Thread-safe.
  int compare(Record a, Record b) const {
    return is_by_bytes() ? order_.compare(a, b) : collation_->compare_keys(a, b);
  }

 private:
  const RecordOrder& order_;
  const RecordCodec* collation_;  // asks strcoll(); null if bytes decide
};

/// Whether the keys of two records are equal. Of a decorated line, only the keys in front count: what follows them
/// differs between lines with equal keys, to keep them in order.
class KeyEquality {
 public:
  /// `codec`: for decorated lines, null otherwise. Both must outlive this.
  KeyEquality(const RecordOrder& order, const RecordCodec* codec) : order_(order), codec_(codec) {}

  bool operator()(Record a, Record b) const {
    return codec_ != nullptr ? codec_->equal_keys(a, b) : order_.compare(a, b) == 0;
  }

  /// A hash of the keys: records with equal keys have the same.
  std::uint64_t hash(Record record) const {
    if (codec_ != nullptr) return hash_record(codec_->keys(record)).low;
    return order_.plan().whole_line ? hash_record(record).low : order_.prefix(record);
  }

 private:
  const RecordOrder& order_;
  const RecordCodec* codec_;
};

}  // namespace sortie
