// Shared parts of the tests of runs: sorted records of every layout, and runs made of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <sortie/error.hpp>
#include <sortie/format.hpp>

#include "record/record_order.hpp"
#include "run/run.hpp"
#include "run/run_writer.hpp"
#include "support/error_of.hpp"
#include "support/run_contents.hpp"
#include "support/text_bytes.hpp"

namespace sortie::test {

/// Sorted numbers of type T, as bytes.
template <class T>
std::string sorted_numbers(std::size_t count, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(random());
  std::sort(numbers.begin(), numbers.end());
  std::string bytes(count * sizeof(T), '\0');
  if (count != 0) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// Fixed-length records: a random key of 4 bytes, then bytes that repeat.
inline std::string sorted_records(std::size_t count, std::size_t record_bytes, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<std::string> records(count, std::string(record_bytes, 'r'));
  for (std::string& record : records) {
    for (std::size_t i = 0; i < std::min<std::size_t>(4, record_bytes); ++i) record[i] = static_cast<char>(random());
  }
  std::sort(records.begin(), records.end());
  std::string bytes;
  for (const std::string& record : records) bytes += record;
  return bytes;
}

inline std::string sorted_lines(std::size_t count, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<std::string> lines(count);
  for (std::string& line : lines) line = std::to_string(random() % 1'000'000) + std::string(random() % 40, 'x') + "\n";
  std::sort(lines.begin(), lines.end());
  std::string bytes;
  for (const std::string& line : lines) bytes += line;
  return bytes;
}

inline Run write_run(const RecordOrder& order, const std::string& records, std::shared_ptr<RunStorage> storage,
                     const RunWriterOptions& options, RunIdentity identity = {0x1122334455667788, 3}) {
  RunWriter writer(order, identity, std::move(storage), options);
  writer.append(as_bytes(records));
  return writer.finish();
}

}  // namespace sortie::test
