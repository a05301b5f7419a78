// Records of every kind for the tests of the GPU engine, and the result that sorting them must give.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "record/record_order.hpp"

namespace sortie::test {

using ByteVector = std::vector<std::byte>;

struct Sample {
  std::string name;
  Format format;
  ByteVector bytes;
};

inline std::vector<Record> records_of(const Layout& layout, std::span<const std::byte> bytes) {
  std::vector<Record> records;
  while (!bytes.empty()) {
    records.push_back(bytes.first(stored_length(layout, bytes.data(), bytes.data() + bytes.size())));
    bytes = bytes.subspan(records.back().size());
  }
  return records;
}

inline ByteVector joined(const std::vector<Record>& records) {
  ByteVector bytes;
  for (const Record record : records) bytes.insert(bytes.end(), record.begin(), record.end());
  return bytes;
}

inline ByteVector stable_sorted(const Format& format, std::span<const std::byte> bytes) {
  const RecordOrder order(format);
  std::vector<Record> records = records_of(order.layout(), bytes);
  std::stable_sort(records.begin(), records.end(), [&](Record a, Record b) { return order.compare(a, b) < 0; });
  return joined(records);
}

inline ByteVector random_bytes(std::size_t count, std::mt19937_64& random) {
  ByteVector bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

inline Format fixed_format(std::uint64_t record_bytes, const std::vector<std::string>& fields) {
  Format format = parse_format("fixed:" + std::to_string(record_bytes));
  for (const std::string& field : fields) format.fields.push_back(parse_field(field));
  return format;
}

/// Fields of every kind with repeated values, so that later fields and input order decide.
inline Sample several_fields(std::size_t record_count, std::mt19937_64& random) {
  const Format format = fixed_format(37, {"u32be@4:desc", "i16@8", "f64@16", "bytes@25:5:desc", "u8@30"});
  ByteVector bytes = random_bytes(37 * record_count, random);
  for (std::size_t i = 0; i < record_count; ++i) {
    std::byte* record = bytes.data() + 37 * i;
    std::memset(record + 4, 0, 2);
    record[6] &= std::byte{3};
    record[7] &= std::byte{0};
    record[9] = record[8] & std::byte{0x80};
    const double values[] = {-0.0, 0.0, 1.5, -1e300, static_cast<double>(random() % 3)};
    std::memcpy(record + 16, &values[random() % 5], 8);
    std::memset(record + 25, static_cast<int>(random() % 2), 5);
    record[30] &= std::byte{1};
  }
  return {"several_fields", format, bytes};
}

inline Sample fixed_sample(std::string name, const Format& format, std::size_t record_count, std::mt19937_64& random) {
  return {std::move(name), format, random_bytes(format.record_bytes * record_count, random)};
}

/// Keys with few distinct first 8 bytes, so that their last two bytes order most records.
inline Sample gensort_with_ties(std::size_t record_count, std::mt19937_64& random) {
  Sample sample = fixed_sample("gensort_with_ties", parse_format("gensort"), record_count, random);
  for (std::size_t i = 0; i < record_count; ++i) {
    std::memset(sample.bytes.data() + 100 * i, static_cast<int>(random() % 3), 8);
    sample.bytes[100 * i + 9] &= std::byte{7};
  }
  return sample;
}

enum class LineKind { kMixed, kLongCommonPrefix, kShort, kEmpty };

inline std::string random_line(LineKind kind, char delimiter, std::mt19937_64& random) {
  std::string line;
  if (kind == LineKind::kEmpty) return line;
  if (kind == LineKind::kLongCommonPrefix) line.assign(40 + 8 * (random() % 3), 'x');
  const std::size_t longest = kind == LineKind::kShort ? 4 : 60;
  const int alphabet = kind == LineKind::kMixed ? 200 : 2;
  for (std::size_t i = random() % longest; i > 0; --i) line += static_cast<char>(random() % alphabet);
  std::replace(line.begin(), line.end(), delimiter, 'd');
  return line;
}

/// Lines with NULs, bytes above 127, empty lines, equal lines, and lines that are the beginning of others.
inline Sample lines(std::string name, LineKind kind, std::size_t line_count, std::mt19937_64& random,
                    char delimiter = '\n', bool descending = false) {
  Format format = parse_format("lines");
  format.delimiter = delimiter;
  format.descending = descending;
  std::string text;
  std::string previous;
  for (std::size_t i = 0; i < line_count; ++i) {
    if (random() % 8 != 0) previous = random_line(kind, delimiter, random);
    text += previous + delimiter;
  }
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {std::move(name), format, ByteVector(begin, begin + text.size())};
}

/// Numbers of all bit patterns, with repeats. Floats include NaNs of both signs, infinities and both zeros.
inline Sample numbers(const std::string& type, bool descending, std::size_t count, std::mt19937_64& random) {
  Sample sample = fixed_sample(type + (descending ? "_descending" : ""), parse_format(type), count, random);
  sample.format.descending = descending;
  const std::uint64_t width = sample.format.record_bytes;
  const std::uint64_t specials32[] = {0, 0x80000000, 0x7fc00001, 0xffc00001, 0x7f800000, 0xff800000, 1, 0xffffffff};
  for (std::size_t i = 0; i < count; i += 3) {
    const std::uint64_t special = specials32[random() % 8];
    const std::uint64_t value = width == 4 ? special : special << 32 | (special & 1);
    std::memcpy(sample.bytes.data() + i * width, &value, width);
  }
  return sample;
}

/// One sample of each kind, with about `record_count` records each. The same count gives the same samples.
inline std::vector<Sample> all_samples(std::size_t record_count) {
  std::mt19937_64 random(20'251'121);
  std::vector<Sample> samples;
  samples.push_back(several_fields(record_count, random));
  samples.push_back(fixed_sample("short_key", fixed_format(10, {"u8@3", "u8@7:desc"}), record_count, random));
  samples.push_back(fixed_sample("key_of_a_prefix", fixed_format(16, {"u64be@5"}), record_count, random));
  samples.push_back(fixed_sample("whole_record", parse_format("fixed:3"), record_count, random));
  samples.push_back(fixed_sample("gensort", parse_format("gensort"), record_count, random));
  samples.push_back(gensort_with_ties(record_count, random));
  samples.push_back(lines("lines_mixed", LineKind::kMixed, record_count, random));
  samples.push_back(lines("lines_descending", LineKind::kMixed, record_count, random, '\n', true));
  samples.push_back(lines("lines_common_prefix", LineKind::kLongCommonPrefix, record_count, random));
  samples.push_back(lines("lines_prefix_descending", LineKind::kLongCommonPrefix, record_count, random, '\n', true));
  samples.push_back(lines("lines_short_nul_delimited", LineKind::kShort, record_count, random, '\0'));
  samples.push_back(lines("lines_empty", LineKind::kEmpty, record_count, random));
  for (const char* type : {"u32", "i32", "f32", "u64", "i64", "f64"}) {
    samples.push_back(numbers(type, false, record_count, random));
    samples.push_back(numbers(type, true, record_count, random));
  }
  return samples;
}

}  // namespace sortie::test
