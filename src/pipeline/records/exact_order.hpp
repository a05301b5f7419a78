// The true order of records, also of decorated lines with open ranks: their bytes do not tell it, so strcoll() is
// asked. Used wherever records are compared before their ranks are filled in: in merges of inputs, scans and
// selections.
#pragma once

#include "record/record_order.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

class ExactOrder {
 public:
  /// `decorator`: for decorated lines, null otherwise. Both must outlive this.
  explicit ExactOrder(const RecordOrder& order, const LineDecorator* decorator = nullptr)
      : order_(order), collation_(decorator != nullptr && decorator->collates() ? decorator : nullptr) {}

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
  const LineDecorator* collation_;  // asks strcoll(); null if bytes decide
};

}  // namespace sortie
