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
  if (!seam_.may_follow(records)) return describe(records, 0);
  if (const auto offset = find_disorder(order_, records, unique_)) return describe(records, *offset);
  seam_.pass(records);
  records_before_ += count_records(order_.layout(), records);
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
