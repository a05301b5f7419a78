// How the keys of two records compare, also those of encoded lines. Used wherever records are compared one with
// another: in merges of inputs, scans, selections, and where duplicates are found.
#pragma once

#include "base/checksum.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// Totals of one original line or record of fixed length.
inline RecordTotals totals_of_one(Record record, bool checksum) {
  return {1, record.size(), checksum ? hash_record(record) : Checksum()};
}

/// The true order of records, also of encoded lines with open ranks: their bytes do not say it, so strcoll() is
/// asked.
class ExactOrder {
 public:
  /// Order by bytes, which must outlive this.
  explicit ExactOrder(const RecordOrder& order) : order_(order) {}
  /// The true order of sorted records. `codec` must outlive this.
  explicit ExactOrder(const RecordCodec& codec)
      : order_(codec.order()), collation_(codec.collates() ? &codec : nullptr) {}

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
  const RecordCodec* collation_ = nullptr;  // asks strcoll(); null if bytes decide
};

}  // namespace sortie
