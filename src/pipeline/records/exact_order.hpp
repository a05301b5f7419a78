// The order of records as it counts, decorated lines with open ranks included: their bytes do not tell it, strcoll() is
// asked. What compares records before their ranks are filled in compares by it: merges of inputs, scans, selections.
#pragma once

#include "record/record_order.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

class ExactOrder {
 public:
  /// `decorator`: of records that are decorated lines, else null. Both must outlive this.
  explicit ExactOrder(const RecordOrder& order, const LineDecorator* decorator = nullptr)
      : order_(order), collation_(decorator != nullptr && decorator->collates() ? decorator : nullptr) {}

  const RecordOrder& by_bytes() const { return order_; }
  const Layout& layout() const { return order_.layout(); }

  /// Whether by_bytes() is this order.
  bool is_by_bytes() const { return collation_ == nullptr; }

  /// The sign of the order. Thread-safe.
  int compare(Record a, Record b) const {
    return is_by_bytes() ? order_.compare(a, b) : collation_->compare_keys(a, b);
  }

 private:
  const RecordOrder& order_;
  const LineDecorator* collation_;  // asks strcoll(); else null
};

}  // namespace sortie
