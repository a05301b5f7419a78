// Columns that are no keys: values of every type come back as they were, from any offset, in rows that were spilled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "table/table_support.hpp"

namespace sortie::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

HandBuilt null_column(std::string name, std::int64_t length) {
  HandBuilt built;
  built.format = "n";
  built.name = std::move(name);
  built.length = length;
  built.null_count = length;
  return built;
}

HandBuilt union_column(std::string name, bool is_dense, const std::vector<std::int8_t>& ids,
                       const std::vector<std::int32_t>& offsets, std::vector<HandBuilt> children) {
  HandBuilt built;
  built.format = is_dense ? "+ud:5,9" : "+us:5,9";
  built.name = std::move(name);
  built.length = static_cast<std::int64_t>(ids.size());
  add_buffer(built, bytes_of(ids));
  if (is_dense) add_buffer(built, bytes_of(offsets));
  built.children = std::move(children);
  return built;
}

HandBuilt fixed_list_column(std::string name, const std::vector<std::optional<bool>>& valid, int size, HandBuilt item) {
  HandBuilt built;
  built.format = "+w:" + std::to_string(size);
  built.name = std::move(name);
  add_validity(built, valid);
  built.children.push_back(std::move(item));
  return built;
}

HandBuilt run_column(std::string name, std::int64_t length, HandBuilt ends, HandBuilt values) {
  HandBuilt built;
  built.format = "+r";
  built.name = std::move(name);
  built.length = length;
  built.children = {std::move(ends), std::move(values)};
  return built;
}

/// Eight rows of every type that is there.
std::vector<HandBuilt> columns_of_all_types() {
  const std::vector<std::optional<bool>> some = {true, true, std::nullopt, true, std::nullopt, true, true, true};
  const HandBuilt words = text_column(
      "item", "u",
      {"a", std::nullopt, "", "a text that is long enough", "b", "c", "d", "e", std::nullopt, "f", "g", "h"});
  const HandBuilt integers = int64_column("item", {1, 2, std::nullopt, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  const HandBuilt nulls = null_column("item", 16);
  const Lengths lengths = {2, 0, std::nullopt, 3, 1, std::nullopt, 4, 2};
  const HandBuilt pairs = struct_column(
      "item", {words, fixed_column<std::int16_t>("n", "s", std::vector<std::optional<std::int16_t>>(12, 7))});
  std::vector<HandBuilt> all = {
      null_column("null", 8),
      bool_column("bool", {true, false, std::nullopt, true, true, false, std::nullopt, false}),
      fixed_column<std::uint8_t>("u8", "C", {1, 2, std::nullopt, 4, 5, 6, 7, 8}),
      fixed_column<std::int32_t>("i32", "i", {1, 2, std::nullopt, 4, 5, 6, 7, 8}),
      fixed_column<double>("f64", "g", {1.5, 2, std::nullopt, -0.0, 5, 6, 7, 8}),
      wide_column("interval", "tin", 16,
                  {std::string(16, 'x'), std::nullopt, std::string(16, 'y'), std::nullopt, std::string(16, 'z'),
                   std::nullopt, std::string(16, '1'), std::nullopt}),
      wide_column("odd", "w:3", 3, {"abc", "def", std::nullopt, "ghi", "jkl", "mno", "pqr", "stu"}),
      wide_column("none", "w:0", 0, {"", "", std::nullopt, "", "", std::nullopt, "", ""}),
      dictionary_column("dictionary", {0, 1, std::nullopt, 2, 1, 0, 0, 1}, text_column("", "u", {"x", "yy", "z"})),
      list_column("list", "+l", lengths, words),
      list_column("large_list", "+L", lengths, integers),
      list_column("list_view", "+vl", lengths, words),
      list_column("large_list_view", "+vL", lengths, integers),
      list_column("list_of_nulls", "+l", lengths, nulls),
      list_column("lists", "+l", {1, 0, 1, 2, std::nullopt, 0, 3, 1}, list_column("item", "+l", lengths, words)),
      list_column("map", "+m", lengths, pairs),
      list_column("bools", "+l", lengths,
                  bool_column("item", {true, false, std::nullopt, true, true, false, std::nullopt, false, true, true,
                                       true, false})),
      fixed_list_column("fixed_list", some, 2, integers),
      fixed_list_column("empty_fixed_list", some, 0, int64_column("item", {})),
      struct_column("struct",
                    {fixed_column<std::int16_t>("a", "s", {1, std::nullopt, 3, 4, 5, 6, 7, 8}),
                     text_column("b", "vu",
                                 {"", "short", std::nullopt, "a text that is too long for a view", "x", "y", "z",
                                  "another text that is too long for it"})},
                    some),
      union_column("sparse", false, {5, 9, 9, 5, 5, 9, 5, 9}, {},
                   {int64_column("l", {1, std::nullopt, 3, 4, 5, 6, 7, 8}),
                    text_column("r", "z", {"a", "b", std::nullopt, "d", "e", "f", "g", "h"})}),
      union_column("dense", true, {5, 9, 9, 5, 5, 9, 5, 9}, {0, 0, 1, 1, 2, 2, 3, 3},
                   {int64_column("l", {1, std::nullopt, 3, 4}), text_column("r", "z", {"a", "b", std::nullopt, "d"})}),
      run_column("runs16", 8, fixed_column<std::int16_t>("run_ends", "s", {3, 4, 8}),
                 text_column("values", "u", {"a", std::nullopt, "ccc"})),
      run_column("runs64", 8, int64_column("run_ends", {1, 7, 9}), list_column("values", "+l", {1, 2, 3}, integers)),
      list_column("dictionaries", "+l", lengths,
                  dictionary_column("item", {0, 1, 1, std::nullopt, 2, 2, 0, 1, 0, 1, 0, 2},
                                    text_column("", "U", {"p", std::nullopt, "q"}))),
      dictionary_column("dictionary_of_lists", {0, 1, std::nullopt, 2, 1, 0, 0, 1},
                        list_column("", "+l", {2, 0, std::nullopt}, words)),
      list_column("runs_in_list", "+l", {2, 0, std::nullopt, 3, 1, 0, 1, 1},
                  run_column("item", 8, fixed_column<std::int32_t>("run_ends", "i", {3, 8}), integers)),
      list_column("unions_in_list", "+l", {2, 0, std::nullopt, 3, 1, 0, 1, 1},
                  union_column("item", true, {5, 9, 9, 5, 5, 9, 5, 9}, {0, 0, 1, 1, 2, 2, 3, 3},
                               {int64_column("l", {1, std::nullopt, 3, 4}),
                                text_column("r", "z", {"a", "b", std::nullopt, "d"})})),
  };
  for (const char* format : {"z", "u", "Z", "U", "vz", "vu"}) {
    all.push_back(text_column(std::string("text_") + format, format,
                              {"", "a", std::nullopt, std::string("\0\x1E\xFF", 3), "exactly 12 by", "thirteen bytes",
                               std::string(300, 'x'), "end"}));
  }
  return all;
}

/// All rows of batches as text, in order.
RowTexts rows_of(const std::vector<HandBuilt>& batches) {
  RowTexts rows;
  for (const HandBuilt& batch : batches) {
    const auto schema = schema_of(batch);
    ArrowArray array = array_of(batch);
    for (std::int64_t i = 0; i < array.length; ++i) {
      std::vector<std::string>& row = rows.emplace_back();
      for (std::int64_t column = 0; column < array.n_children; ++column) {
        row.push_back(value_text(*schema->children[column], *array.children[column], array.offset + i));
      }
    }
    array.release(&array);
  }
  return rows;
}

class TableValuesTest : public TableTest {
 protected:
  TableValuesTest() { options_.keys = {{"key", true}}; }

  /// Sorts rows whose key is their number, backwards.
  void expect_reversed(const std::vector<HandBuilt>& batches, const std::string& what) {
    RowTexts expected = rows_of(batches);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(sorted(batches), expected) << what;
  }
};

HandBuilt keys_from(std::int64_t first, std::int64_t count) {
  std::vector<std::optional<std::int64_t>> keys;
  for (std::int64_t i = 0; i < count; ++i) keys.emplace_back(first + i);
  return int64_column("key", keys);
}

TEST_F(TableValuesTest, ColumnsOfEveryTypeComeBack) {
  for (const HandBuilt& column : columns_of_all_types()) {
    expect_reversed({batch_of({keys_from(0, 8), column}), batch_of({keys_from(8, 8), column})}, column.name);
  }
}

TEST_F(TableValuesTest, AllTypesTogetherComeBackFromSlicesOfBatches) {
  std::vector<HandBuilt> columns = columns_of_all_types();
  columns.insert(columns.begin() + 5, keys_from(0, 8));
  const HandBuilt batch = batch_of(columns);
  columns[5] = keys_from(8, 8);
  const HandBuilt next = batch_of(columns);
  for (const std::int64_t offset : {0, 1, 3, 7}) {
    for (const std::uint64_t batch_rows : {1, 3, 100}) {
      options_.batch_rows = batch_rows;
      expect_reversed({sliced(batch, offset, 8 - offset), next}, std::to_string(offset));
    }
  }
}

TEST_F(TableValuesTest, OffsetsOfColumnsCountToo) {
  std::vector<HandBuilt> columns;
  for (const HandBuilt& column : columns_of_all_types()) columns.push_back(sliced(column, 3, 4));
  columns.push_back(keys_from(0, 4));
  expect_reversed({sliced(batch_of(columns), 1, 3)}, "");
}

TEST_F(TableValuesTest, RowsThatAreNullThemselvesHaveNullsInAllColumns) {
  const HandBuilt batch = struct_column("",
                                        {int64_column("key", {1, 2, 3}), text_column("text", "u", {"a", "b", "c"}),
                                         bool_column("bool", {true, true, true})},
                                        {true, std::nullopt, true});
  EXPECT_THAT(sorted({batch}), ElementsAre(ElementsAre("3", "'c'", "true"), ElementsAre("1", "'a'", "true"),
                                           ElementsAre("null", "null", "null")));
}

TEST_F(TableValuesTest, DictionariesOfBatchesAreUnited) {
  const auto batch = [](std::int64_t first, const Texts& words) {
    return batch_of(
        {keys_from(first, 3), dictionary_column("word", {0, 1, std::nullopt}, text_column("", "u", words))});
  };
  TableSorter sorter(*schema_of(batch(0, {"a", "b"})), options_);
  for (const HandBuilt& built : {batch(0, {"a", "b"}), batch(3, {"b", "c", "unused"}), batch(6, {"a", "a"})}) {
    ArrowArray array = array_of(built);
    sorter.push(&array);
  }
  ArrowArray sorted{};
  ASSERT_TRUE(sorter.pull(&sorted));
  const auto schema = schema_of(batch(0, {}));
  std::vector<std::string> values;
  for (std::int64_t i = 0; i < sorted.length; ++i) {
    values.push_back(value_text(*schema->children[1], *sorted.children[1], i));
  }
  EXPECT_THAT(values, ElementsAre("null", "'a'", "'a'", "null", "'c'", "'b'", "null", "'b'", "'a'"));
  EXPECT_EQ(sorted.children[1]->dictionary->length, 4);
  sorted.release(&sorted);
}

TEST_F(TableValuesTest, MoreValuesThanIndexesCanTellApartAreRefused) {
  Texts words;
  for (int i = 0; i < 100; ++i) words.emplace_back("word " + std::to_string(i));
  const HandBuilt batch = batch_of({keys_from(0, 1), dictionary_column("word", {7}, text_column("", "u", words))});
  for (auto& word : words) *word += " again";
  const HandBuilt next = batch_of({keys_from(0, 1), dictionary_column("word", {7}, text_column("", "u", words))});
  EXPECT_EQ(sorted({batch, batch}).size(), 2u);
  EXPECT_THAT(
      message_of([&] {
        sorted({batch, next});
      }),
      HasSubstr("column 'word': the dictionaries of all batches have more than 128 different values together, too "
                "many for the indexes of a dictionary<string, int8>; cast it to one with wider indexes"));
}

/// Rows of several types in no order, with texts of any length.
HandBuilt random_batch(std::int64_t rows, std::mt19937_64& random, bool has_texts) {
  std::vector<std::optional<std::int64_t>> keys;
  std::vector<std::optional<double>> numbers;
  Texts texts;
  Lengths lengths;
  std::vector<std::optional<std::int64_t>> elements;
  for (std::int64_t i = 0; i < rows; ++i) {
    keys.emplace_back(static_cast<std::int64_t>(random() % 1000));
    if (random() % 10 == 0) keys.back().reset();
    numbers.emplace_back(static_cast<double>(random() % 100));
    texts.emplace_back(std::string(random() % 60, static_cast<char>(random() % 256)));
    if (random() % 10 == 0) texts.back().reset();
    lengths.emplace_back(static_cast<std::int32_t>(random() % 4));
    for (int j = 0; j < *lengths.back(); ++j) elements.emplace_back(static_cast<std::int64_t>(random()));
  }
  std::vector<HandBuilt> columns = {int64_column("key", keys), fixed_column<double>("number", "g", numbers)};
  if (has_texts) {
    columns.push_back(text_column("text", "u", texts));
    columns.push_back(list_column("list", "+l", lengths, int64_column("item", elements)));
  }
  return batch_of(columns);
}

TEST_F(TableValuesTest, RowsThatDoNotFitInMemoryAreSortedTheSameForAnyNumberOfThreads) {
  for (const bool has_texts : {false, true}) {
    std::mt19937_64 random(5);
    std::vector<HandBuilt> batches;
    for (int i = 0; i < 4; ++i) batches.push_back(random_batch(has_texts ? 8000 : 20'000, random, has_texts));
    RowTexts expected = rows_of(batches);
    // Keys go down, nulls come last.
    std::stable_sort(expected.begin(), expected.end(), [](const auto& left, const auto& right) {
      if (left[0] == "null" || right[0] == "null") return left[0] != "null" && right[0] == "null";
      return std::stoi(left[0]) > std::stoi(right[0]);
    });
    options_.sort.memory_bytes = 512 << 10;
    options_.batch_rows = 3000;
    for (const unsigned threads : {1, 4}) {
      options_.sort.threads = threads;
      EXPECT_TRUE(sorted(batches) == expected) << has_texts << threads;
      EXPECT_GT(report_.runs_spilled, 1u);
      EXPECT_EQ(report_.output_records, expected.size());
      for (std::size_t i = 0; i + 1 < batch_lengths_.size(); ++i) EXPECT_EQ(batch_lengths_[i], 3000);
    }
  }
}

TEST_F(TableValuesTest, RowsMayBeLongerThanWhatIsHandedOverAtOnce) {
  Texts texts;
  for (int i = 0; i < 12; ++i)
    texts.emplace_back(std::string(i % 3 == 0 ? 5 << 20 : 700'000, static_cast<char>('a' + i)));
  expect_reversed({batch_of({keys_from(0, 12), text_column("text", "u", texts)})}, "");
}

}  // namespace
}  // namespace sortie::test
