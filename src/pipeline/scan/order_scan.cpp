#include "pipeline/scan/order_scan.hpp"

#include "base/quote.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "record/record_scan.hpp"

namespace sortie {

std::string finding_of(const Disorder& disorder) {
  return "input '" + escape_unprintable(disorder.input) + "' is not sorted: record " + std::to_string(disorder.record) +
         " at offset " + std::to_string(disorder.offset) + " is out of order";
}

void OrderScan::begin_input(const std::string& path, std::uint64_t records_before, std::uint64_t bytes_before) {
  path_ = path;
  records_before_ = records_before;
  bytes_before_ = bytes_before;
}

std::optional<Disorder> OrderScan::next(std::span<const std::byte> records, std::uint64_t input_bytes) {
  if (records.empty()) return std::nullopt;
  if (const auto offset = scan_.find_disorder(records)) return describe(records, *offset);
  records_before_ += count_records(scan_.layout(), records);
  bytes_before_ += input_bytes;
  return std::nullopt;
}

Disorder OrderScan::describe(std::span<const std::byte> records, std::size_t offset) const {
  Disorder disorder;
  disorder.input = path_;
  disorder.record = records_before_ + count_records(scan_.layout(), records.first(offset)) + 1;
  disorder.offset = bytes_before_ + codec_.original_bytes_of_all(records.first(offset));
  if (scan_.layout().delimited()) {
    std::vector<std::byte> scratch;
    const Record line = codec_.original(first_record(scan_.layout(), records.subspan(offset)), scratch);
    const bool has_delimiter = codec_.input_format().kind == RecordKind::kLines;
    disorder.text.assign(reinterpret_cast<const char*>(line.data()), line.size() - (has_delimiter ? 1 : 0));
  }
  return disorder;
}

}  // namespace sortie
