#include "table/batch_limit.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::table {
namespace {

/// No column of a batch has more bytes than all records of its rows, so that 32-bit offsets reach.
constexpr std::uint64_t kMostBytes = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kUsualRows = 1 << 16;
constexpr std::uint64_t kUsualBytes = 4 << 20;

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

/// How many values an array of the type holds in any case; 0 if that depends on what they are.
std::uint64_t most_values(const TableType& type) {
  std::uint64_t most = kAnyNumber;
  for (const TableType& child : type.children) most = std::min(most, most_values(child));
  switch (type.storage) {
    case Storage::kRunEnd:
      return type.width == sizeof(std::int16_t) ? std::min<std::uint64_t>(most, INT16_MAX) : most;
    case Storage::kFixedList:
      return most == kAnyNumber || type.list_size == 0 ? kAnyNumber : most / static_cast<std::uint64_t>(type.list_size);
    case Storage::kList:
    case Storage::kLargeList:
    case Storage::kListView:
    case Storage::kLargeListView:
    case Storage::kDictionary:
      return most == kAnyNumber ? kAnyNumber : 0;
    default:
      return most;
  }
}

/// The greatest number if there is no limit.
std::uint64_t most_batch_rows(const TableSchema& schema) {
  std::uint64_t most = kAnyNumber;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const std::uint64_t most_of_column = most_values(schema.columns[i]);
    if (most_of_column == 0) {
      throw Error("column " + quote_word(schema.names[i]) + ": run ends of 16 bits in a " + schema.columns[i].words +
                  " may be too small for the values of a sorted batch: cast them to 32 bits");
    }
    most = std::min(most, most_of_column);
  }
  return most;
}

}  // namespace

BatchLimit batch_limit(const TableSchema& schema, std::optional<std::uint64_t> rows) {
  return {std::min(rows.value_or(kUsualRows), most_batch_rows(schema)), rows ? kMostBytes : kUsualBytes};
}

}  // namespace sortie::table
