// The result that sorting CSV by its fields must give. The plain reader of csv_oracle.hpp finds the values, and a
// stable sort compares them as text or as whole numbers.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/format.hpp>

#include "record/csv/csv_oracle.hpp"

namespace sortie::test {

struct ColumnKey {
  std::size_t column = 0;  // counted from 0
  bool number = false;
  bool descending = false;
};

inline Format csv_format(const std::vector<ColumnKey>& keys, char separator = ',') {
  Format format;
  format.text.csv = true;
  format.text.separator = separator;
  for (const ColumnKey& wanted : keys) {
    TextKey key;
    key.begin.field = wanted.column;
    key.end = TextPosition{wanted.column + 1, 0, false};
    key.kind = wanted.number ? TextKind::kNumber : TextKind::kText;
    key.descending = wanted.descending;
    format.text.keys.push_back(key);
  }
  return format;
}

inline int compare_columns(const std::vector<ColumnKey>& keys, const CsvRecord& a, const CsvRecord& b) {
  const auto value = [](const CsvRecord& record, std::size_t column) {
    return column < record.values.size() ? record.values[column] : std::string();
  };
  for (const ColumnKey& key : keys) {
    const std::string left = value(a, key.column);
    const std::string right = value(b, key.column);
    int result = left.compare(right);
    if (key.number) {
      const long long difference = std::atoll(left.c_str()) - std::atoll(right.c_str());
      result = difference < 0 ? -1 : (difference > 0 ? 1 : 0);
    }
    if (result != 0) return key.descending ? -result : result;
  }
  return 0;
}

/// `text` consists of whole records.
inline std::string sorted_csv(const std::vector<ColumnKey>& keys, std::string_view text, bool unique = false,
                              char separator = ',') {
  std::vector<CsvRecord> records = read_csv(text, separator).records;
  std::ranges::stable_sort(records, [&](const auto& a, const auto& b) { return compare_columns(keys, a, b) < 0; });
  if (unique) {
    const auto same = [&](const auto& a, const auto& b) { return compare_columns(keys, a, b) == 0; };
    records.erase(std::unique(records.begin(), records.end(), same), records.end());
  }
  std::string sorted;
  for (const CsvRecord& record : records) sorted += record.raw;
  return sorted;
}

}  // namespace sortie::test
