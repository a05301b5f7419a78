#include "pipeline/order_scan.hpp"

#include "record/order_check.hpp"

namespace sortie {

void OrderScan::begin_input(const std::string& path) {
  path_ = path;
  records_before_ = 0;
  bytes_before_ = 0;
}

std::optional<Disorder> OrderScan::next(std::span<const std::byte> records) {
  if (records.empty()) return std::nullopt;
  const Layout& layout = order_.layout();
  const std::byte* end = records.data() + records.size();
  const Record first(records.data(), static_cast<std::size_t>(stored_length(layout, records.data(), end)));
  if (!last_.empty() && order_.compare(last_, first) > (unique_ ? -1 : 0)) return describe(records, 0);
  if (const auto offset = find_disorder(order_, records, unique_)) return describe(records, *offset);
  const Record last = last_record(layout, records);
  last_.assign(last.begin(), last.end());
  records_before_ += count_records(layout, records);
  bytes_before_ += records.size();
  return std::nullopt;
}

Disorder OrderScan::describe(std::span<const std::byte> records, std::size_t offset) const {
  Disorder disorder;
  disorder.input = path_;
  disorder.record = records_before_ + count_records(order_.layout(), records.first(offset)) + 1;
  disorder.offset = bytes_before_ + offset;
  if (order_.layout().delimited()) {
    const std::byte* record = records.data() + offset;
    const std::uint64_t stored = stored_length(order_.layout(), record, records.data() + records.size());
    disorder.text.assign(reinterpret_cast<const char*>(record), static_cast<std::size_t>(stored - 1));
  }
  return disorder;
}

}  // namespace sortie
