#include "record/record_order.hpp"

#include <algorithm>

#include "record/fixed_key.hpp"

namespace sortie {

KeyPlan make_key_plan(const Format& format) {
  validate(format);
  KeyPlan plan;
  if (format.kind == RecordKind::kLines) {
    plan.whole_line = true;
    plan.descending_line = format.descending;
    return plan;
  }
  const Field whole{FieldKind::kBytes, ByteOrder::kBig, 0, format.record_bytes, false};
  for (const Field& field : format.fields.empty() ? std::span(&whole, 1) : std::span(format.fields)) {
    add_key_part(plan, field, format.descending);
  }
  return plan;
}

RecordOrder::RecordOrder(const Format& format) : layout_(layout_of(format)), plan_(make_key_plan(format)) {}

int RecordOrder::compare(Record a, Record b, std::uint64_t first_word) const {
  const std::uint64_t a_length = key_length(layout_, a.size());
  const std::uint64_t b_length = key_length(layout_, b.size());
  if (plan_.whole_line) {
    // The usual case: lines differ in a word that both have whole.
    const std::uint64_t whole_words = std::min(a_length, b_length) / 8;
    for (std::uint64_t word = first_word; word < whole_words; ++word) {
      const auto a_word = load_as<std::uint64_t>(a.data() + 8 * word);
      const auto b_word = load_as<std::uint64_t>(b.data() + 8 * word);
      if (a_word != b_word) return (byte_swap(a_word) < byte_swap(b_word)) != plan_.descending_line ? -1 : 1;
    }
  }
  return compare_keys(plan_, a.data(), a_length, b.data(), b_length, first_word);
}

std::vector<std::byte> RecordOrder::normalised_key(Record record, std::size_t limit) const {
  const std::uint64_t length = key_length(layout_, record.size());
  std::vector<std::byte> key(static_cast<std::size_t>(std::min<std::uint64_t>(limit, key_bytes(record))));
  for (std::size_t at = 0; at < key.size(); at += 8) {
    const std::uint64_t word = byte_swap(key_word(plan_, record.data(), length, at / 8));
    std::memcpy(key.data() + at, &word, std::min<std::size_t>(8, key.size() - at));
  }
  return key;
}

std::size_t lower_bound_record(const RecordOrder& order, std::span<const std::byte> bytes, Record key) {
  return partition_records(order.layout(), bytes, [&](Record record) { return order.compare(record, key) < 0; });
}

std::size_t upper_bound_record(const RecordOrder& order, std::span<const std::byte> bytes, Record key) {
  return partition_records(order.layout(), bytes, [&](Record record) { return order.compare(record, key) <= 0; });
}

}  // namespace sortie
