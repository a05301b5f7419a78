#include "record/sorted_search.hpp"

namespace sortie {

std::size_t lower_bound_record(const RecordOrder& order, std::span<const std::byte> bytes, Record key) {
  return partition_records(order.layout(), bytes, [&](Record record) { return order.compare(record, key) < 0; });
}

std::size_t upper_bound_record(const RecordOrder& order, std::span<const std::byte> bytes, Record key) {
  return partition_records(order.layout(), bytes, [&](Record record) { return order.compare(record, key) <= 0; });
}

}  // namespace sortie
