// Takes any bytes as two fixed-length records with any fields. Their normalised keys have the order of the fields' own
// types, and every number can be restored from its code.
//
//   | fields (1 byte) | kind, length, byte order, offset, direction of each | record | record |
#include <compare>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.hpp"
#include "record/record_order.hpp"
#include "support/compare_halves.hpp"

namespace sortie {
namespace {

using fuzz::require;

constexpr std::size_t kRecordBytes = 40;

Field read_field(fuzz::InputReader& input) {
  Field field;
  field.kind = FieldKind(input.byte() % 4);
  const std::uint8_t length = input.byte();
  field.length = field.kind == FieldKind::kBytes ? length % (kRecordBytes + 1) : std::uint64_t{1} << length % 4;
  field.byte_order = input.byte() % 2 == 0 ? ByteOrder::kLittle : ByteOrder::kBig;
  field.offset = input.byte() % kRecordBytes;
  field.descending = input.byte() % 2 != 0;
  return field;
}

template <class Number>
Number read_as(const std::string& bytes) {
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

template <class Number>
std::strong_ordering compare_as(const std::string& a, const std::string& b) {
  return std::strong_order(read_as<Number>(a), read_as<Number>(b));
}

std::strong_ordering compare_floats(const std::string& a, const std::string& b) {
  switch (a.size()) {
    case 2:
      return test::compare_halves(read_as<std::uint16_t>(a), read_as<std::uint16_t>(b));
    case 4:
      return compare_as<float>(a, b);
    default:
      return compare_as<double>(a, b);
  }
}

std::strong_ordering compare_numbers(const Field& field, const std::string& a, const std::string& b) {
  const bool is_signed = field.kind == FieldKind::kSigned;
  if (field.kind == FieldKind::kFloat) return compare_floats(a, b);
  switch (field.length) {
    case 1:
      return is_signed ? compare_as<std::int8_t>(a, b) : compare_as<std::uint8_t>(a, b);
    case 2:
      return is_signed ? compare_as<std::int16_t>(a, b) : compare_as<std::uint16_t>(a, b);
    case 4:
      return is_signed ? compare_as<std::int32_t>(a, b) : compare_as<std::uint32_t>(a, b);
    default:
      return is_signed ? compare_as<std::int64_t>(a, b) : compare_as<std::uint64_t>(a, b);
  }
}

std::strong_ordering compare_fields(const Field& field, std::string_view a, std::string_view b) {
  std::string left(a.substr(field.offset, field.length));
  std::string right(b.substr(field.offset, field.length));
  if (field.descending) left.swap(right);
  if (field.kind == FieldKind::kBytes) return std::memcmp(left.data(), right.data(), left.size()) <=> 0;
  if (field.byte_order == ByteOrder::kBig) {
    left.assign(left.rbegin(), left.rend());
    right.assign(right.rbegin(), right.rend());
  }
  return compare_numbers(field, left, right);
}

std::strong_ordering compare_records(const Format& format, std::string_view a, std::string_view b) {
  if (format.fields.empty()) return std::memcmp(a.data(), b.data(), a.size()) <=> 0;
  for (const Field& field : format.fields) {
    const auto order = compare_fields(field, a, b);
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

void check_codes(const Field& field, std::string_view record) {
  if (field.kind == FieldKind::kBytes) return;
  const auto bytes = static_cast<unsigned>(field.length);
  const std::uint64_t bits = load_little(fuzz::as_bytes(record).data() + field.offset, bytes);
  const std::uint64_t code = encode_number(field.kind, bits, bytes);
  require(decode_number(field.kind, code, bytes) == bits, "a number comes back from its code");
}

void check(fuzz::InputReader input) {
  Format format;
  format.kind = RecordKind::kFixed;
  format.record_bytes = kRecordBytes;
  for (unsigned fields = input.byte() % 6; fields > 0; --fields) format.fields.push_back(read_field(input));
  std::string a(input.take(kRecordBytes));
  a.resize(kRecordBytes);
  std::string b(input.take(kRecordBytes));
  b.resize(kRecordBytes);
  const RecordOrder order(format);
  const auto expected = compare_records(format, a, b);
  require((order.compare(fuzz::as_bytes(a), fuzz::as_bytes(b)) <=> 0) == expected, "records compare as their fields");
  const auto key_a = order.normalised_key(fuzz::as_bytes(a), 1000);
  const auto key_b = order.normalised_key(fuzz::as_bytes(b), 1000);
  require((key_a <=> key_b) == expected, "keys compare as their records");
  if (order.prefix(fuzz::as_bytes(a)) < order.prefix(fuzz::as_bytes(b))) {
    require(expected < 0, "a lesser prefix is a lesser key");
  }
  for (const Field& field : format.fields) check_codes(field, a);
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sortie::fuzz::check_unless_refused(sortie::check, {data, size});
}
