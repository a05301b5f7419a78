// How columns of every type order as keys, in rows of fixed length and in others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "table/table_support.hpp"

namespace sortie::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A column whose values stand in their order, without nulls, and then one null.
struct OrderedColumn {
  std::string what;
  HandBuilt column;
};

template <class Number>
OrderedColumn numbers(const std::string& format, const std::vector<Number>& values) {
  std::vector<std::optional<Number>> all(values.begin(), values.end());
  all.push_back(std::nullopt);
  return {"format " + format, fixed_column<Number>("key", format, all)};
}

template <class Number>
OrderedColumn all_sizes(const std::string& format) {
  using Limits = std::numeric_limits<Number>;
  std::vector<Number> values = {Limits::min(), static_cast<Number>(Limits::min() + 1)};
  if (Limits::is_signed) values.insert(values.end(), {static_cast<Number>(-100), static_cast<Number>(-1)});
  values.insert(values.end(), {static_cast<Number>(Limits::is_signed ? 0 : 2), 3, 100,
                               static_cast<Number>(Limits::max() - 1), Limits::max()});
  return numbers(format, values);
}

/// Little-endian integers of `bytes` bytes with their sign.
OrderedColumn wide(const std::string& format, std::size_t bytes) {
  const auto value = [&](std::int64_t low, char filler) {
    std::string text(bytes, filler);
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes, 8); ++i) {
      text[i] = static_cast<char>(static_cast<std::uint64_t>(low) >> (8 * i));
    }
    return text;
  };
  std::string lowest(bytes, '\0');
  lowest.back() = '\x80';
  std::string highest(bytes, '\xFF');
  highest.back() = '\x7F';
  return {"format " + format, wide_column("key", format, bytes,
                                          {lowest, value(-70'000, '\xFF'), value(-1, '\xFF'), value(0, '\0'),
                                           value(1, '\0'), value(70'000, '\0'), highest, std::nullopt})};
}

Texts texts_in_order() {
  return {std::string(),
          std::string(1, '\0'),
          std::string(2, '\0'),
          std::string("\0\1", 2),
          "\1",
          "\2",
          "\3",
          "\4",
          "\5",
          "\x1D",
          "\x1E",
          "\x1F",
          " ",
          "a",
          std::string("a\0", 2),
          "a\1",
          "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
          "ab",
          "b",
          "\xE0",
          "\xE1\xE2",
          "\xFC",
          "\xFD",
          "\xFE",
          "\xFE\xFE",
          "\xFE\xFF",
          "\xFF",
          "\xFF\xFF",
          std::nullopt};
}

std::vector<OrderedColumn> ordered_columns() {
  std::vector<OrderedColumn> all = {
      all_sizes<std::int8_t>("c"),
      all_sizes<std::uint8_t>("C"),
      all_sizes<std::int16_t>("s"),
      all_sizes<std::uint16_t>("S"),
      all_sizes<std::int32_t>("i"),
      all_sizes<std::uint32_t>("I"),
      all_sizes<std::int64_t>("l"),
      all_sizes<std::uint64_t>("L"),
      all_sizes<std::int32_t>("tdD"),
      all_sizes<std::int64_t>("tdm"),
      all_sizes<std::int32_t>("tts"),
      all_sizes<std::int32_t>("ttm"),
      all_sizes<std::int64_t>("ttu"),
      all_sizes<std::int64_t>("ttn"),
      all_sizes<std::int64_t>("tss:"),
      all_sizes<std::int64_t>("tsm:UTC"),
      all_sizes<std::int64_t>("tsu:Europe/Berlin"),
      all_sizes<std::int64_t>("tsn:"),
      all_sizes<std::int64_t>("tDs"),
      all_sizes<std::int64_t>("tDm"),
      all_sizes<std::int64_t>("tDu"),
      all_sizes<std::int64_t>("tDn"),
      all_sizes<std::int32_t>("tiM"),
      wide("d:9,2,32", 4),
      wide("d:18,2,64", 8),
      wide("d:38,2", 16),
      wide("d:38,2,128", 16),
      wide("d:76,-3,256", 32),
      // -NaN, -inf, -1, -0, 0, 1, inf, NaN
      numbers<std::uint16_t>("e", {0xFE01, 0xFC00, 0xBC00, 0x8000, 0, 0x3C00, 0x7C00, 0x7E01}),
      numbers<std::uint32_t>("f",
                             {0xFFC00001, 0xFF800000, 0xBF800000, 0x80000000, 0, 0x3F800000, 0x7F800000, 0x7FC00001}),
      numbers<std::uint64_t>("g", {0xFFF8000000000001, 0xFFF0000000000000, 0xBFF0000000000000, 0x8000000000000000, 0,
                                   0x3FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000001}),
      {"bool", bool_column("key", {false, true, std::nullopt})},
      {"fixed_size_binary",
       wide_column("key", "w:3", 3,
                   {std::string(3, '\0'), "aaa", "a\xFF\xFF", "\xFE\x01\x1E", "\xFF\xFF\xFF", std::nullopt})},
      {"dictionary", dictionary_column("key", {1, 2, 0, std::nullopt}, text_column("", "u", {"c", "a", "b"}))},
      {"dictionary of numbers", dictionary_column("key", {1, 2, 0, std::nullopt}, int64_column("", {7, -5, 3}))},
      {"dictionary with a null",
       dictionary_column("key", {1, 2, 3, 0}, text_column("", "vz", {std::nullopt, "a", "b", "long enough for it"}))},
  };
  for (const char* format : {"z", "u", "Z", "U", "vz", "vu"}) {
    all.push_back({std::string("format ") + format, text_column("key", format, texts_in_order())});
  }
  return all;
}

/// Row numbers in the order that the key column has by hand: values as they stand, or backwards, and the null.
std::vector<std::string> expected_rows(std::size_t count, const TableKey& key) {
  std::vector<std::string> rows;
  for (std::size_t i = 0; i + 1 < count; ++i) rows.push_back(std::to_string(i));
  if (key.descending) std::reverse(rows.begin(), rows.end());
  rows.insert(key.nulls_first ? rows.begin() : rows.end(), std::to_string(count - 1));
  return rows;
}

class TableKeysTest : public TableTest {
 protected:
  /// Sorts the column in four ways, with a row number beside it, and perhaps a text that makes rows longer.
  void expect_order(const OrderedColumn& ordered, bool with_text) {
    const auto count = static_cast<std::size_t>(ordered.column.length);
    std::vector<HandBuilt> columns = {ordered.column, row_numbers(count)};
    if (with_text) columns.push_back(text_column("text", "u", Texts(count, "some text")));
    const HandBuilt schema = batch_of(columns);
    // Batches of one row each, the last first, so that the sort has something to do.
    std::vector<HandBuilt> batches;
    for (std::size_t i = 0; i < count; ++i)
      batches.push_back(sliced(schema, static_cast<std::int64_t>(count - 1 - i), 1));
    for (const bool descending : {false, true}) {
      for (const bool nulls_first : {false, true}) {
        options_.keys = {{"key", descending, nulls_first}};
        const RowTexts rows = sorted(schema, batches);
        EXPECT_EQ(column(rows, 1), expected_rows(count, options_.keys[0])) << ordered.what << descending << nulls_first;
        expect_values(schema, rows);
      }
    }
  }

  /// Whether each row has the values that its number says.
  static void expect_values(const HandBuilt& batch, const RowTexts& rows) {
    const auto schema = schema_of(batch);
    ArrowArray array = array_of(batch);
    for (const auto& row : rows) {
      EXPECT_EQ(row[0], value_text(*schema->children[0], *array.children[0], std::stoll(row[1])));
    }
    array.release(&array);
  }
};

TEST_F(TableKeysTest, EveryTypeOrdersBothWaysWithItsNullsFirstAndLast) {
  for (const OrderedColumn& ordered : ordered_columns()) {
    expect_order(ordered, false);
    expect_order(ordered, true);
  }
}

TEST_F(TableKeysTest, LaterKeysDecideWhereEarlierOnesAreEqual) {
  const HandBuilt batch =
      batch_of({text_column("a", "u", {"x", "", std::nullopt, "x", "", std::nullopt, "xy"}),
                text_column("b", "u", {"1", "2", "3", std::nullopt, "22", "33", "0"}), row_numbers(7)});
  options_.keys = {{"a"}, {"b", true}};
  EXPECT_THAT(column(sorted({batch}), 2), ElementsAre("4", "1", "0", "3", "6", "5", "2"));
  options_.keys = {{"a", true, true}, {"b", false, true}};
  EXPECT_THAT(column(sorted({batch}), 2), ElementsAre("2", "5", "6", "3", "0", "1", "4"));
}

TEST_F(TableKeysTest, KeysOfFixedWidthFollowOneAnother) {
  const HandBuilt batch =
      batch_of({int64_column("a", {5, std::nullopt, 5, std::numeric_limits<std::int64_t>::max(), 5}),
                bool_column("b", {true, false, std::nullopt, true, false}), row_numbers(5)});
  options_.keys = {{"a"}, {"b", true, true}};
  EXPECT_THAT(column(sorted({batch}), 2), ElementsAre("2", "0", "4", "3", "1"));
}

TEST_F(TableKeysTest, RowsWithEqualKeysKeepTheirOrderInBothDirections) {
  std::vector<std::optional<std::int64_t>> keys;
  for (int i = 0; i < 5000; ++i) keys.emplace_back(i % 3);
  const HandBuilt batch = batch_of({int64_column("key", keys), row_numbers(5000)});
  for (const bool descending : {false, true}) {
    options_.keys = {{"key", descending}};
    const RowTexts rows = sorted({batch});
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (rows[i][0] == rows[i - 1][0]) {
        EXPECT_LT(std::stoi(rows[i - 1][1]), std::stoi(rows[i][1]));
      }
    }
  }
}

TEST_F(TableKeysTest, ARepeatedKeyChangesNothing) {
  const HandBuilt batch = batch_of({int64_column("key", {2, 1, 3}), row_numbers(3)});
  options_.keys = {{"key"}, {"key", true}};
  EXPECT_THAT(column(sorted({batch}), 1), ElementsAre("1", "0", "2"));
}

TEST_F(TableKeysTest, WithoutKeysAllRowsStayInTheirOrder) {
  const HandBuilt batch = batch_of({int64_column("key", {2, 1, 3}), row_numbers(3)});
  EXPECT_THAT(column(sorted({batch, batch}), 0), ElementsAre("2", "1", "3", "2", "1", "3"));
  const HandBuilt texts = batch_of({text_column("key", "u", {"b", "a"}), row_numbers(2)});
  EXPECT_THAT(column(sorted({texts}), 0), ElementsAre("'b'", "'a'"));
}

TEST_F(TableKeysTest, AKeyOfNullsDecidesNothing) {
  HandBuilt nulls;
  nulls.format = "n";
  nulls.name = "key";
  nulls.length = 2;
  nulls.null_count = 2;
  options_.keys = {{"key", true, true}};
  EXPECT_THAT(column(sorted({batch_of({nulls, row_numbers(2)})}), 1), ElementsAre("0", "1"));
  const HandBuilt with_text = batch_of({nulls, row_numbers(2), text_column("text", "u", {"b", "a"})});
  EXPECT_THAT(sorted({with_text}), ElementsAre(ElementsAre("null", "0", "'b'"), ElementsAre("null", "1", "'a'")));
}

TEST_F(TableKeysTest, RunsOrderByTheirValues) {
  HandBuilt runs;
  runs.format = "+r";
  runs.name = "key";
  runs.length = 6;
  runs.children = {fixed_column<std::int32_t>("run_ends", "i", {2, 3, 5, 6}),
                   text_column("values", "u", {"b", std::nullopt, "a", "c"})};
  options_.keys = {{"key", false, true}};
  const HandBuilt batch = batch_of({runs, row_numbers(6)});
  EXPECT_THAT(column(sorted({batch}), 1), ElementsAre("2", "3", "4", "0", "1", "5"));
  EXPECT_THAT(column(sorted(batch, {sliced(batch, 1, 3), sliced(batch, 4, 2)}), 0),
              ElementsAre("null", "'a'", "'a'", "'b'", "'c'"));
}

TEST_F(TableKeysTest, AKeyThatIsNoColumnOrHasNoOrderIsRefusedByName) {
  const HandBuilt batch = batch_of({list_column("tags", "+l", {1}, int64_column("item", {7})), row_numbers(1)});
  options_.keys = {{"tag"}};
  EXPECT_THAT(message_of([&] { sorted({batch}); }), HasSubstr("key 'tag': the table has no such column; it has"));
  options_.keys = {{"tags"}};
  EXPECT_THAT(message_of([&] { sorted({batch}); }),
              HasSubstr("key 'tags': values of type list<int64> have no order; sort by another column"));
  options_.keys = {{"row"}};
  EXPECT_THAT(message_of([&] {
                sorted({batch_of({row_numbers(1), row_numbers(1)})});
              }),
              HasSubstr("several columns have this name"));
}

TEST_F(TableKeysTest, OneOfEqualKeysIsKeptAndTheFirstOfAllRows) {
  const HandBuilt batch = batch_of({text_column("key", "u", {"b", "a", "b", std::nullopt, "a"}), row_numbers(5)});
  options_.keys = {{"key"}};
  options_.sort.unique = true;
  EXPECT_THAT(column(sorted({batch}), 1), ElementsAre("1", "0", "3"));
  options_.sort.keep_last = true;
  EXPECT_THAT(column(sorted({batch}), 1), ElementsAre("4", "2", "3"));
  options_.sort.unique = options_.sort.keep_last = false;
  options_.sort.top_records = 2;
  EXPECT_THAT(column(sorted({batch}), 1), ElementsAre("1", "4"));
}

}  // namespace
}  // namespace sortie::test
