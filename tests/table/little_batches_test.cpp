// Batches of few rows, which a table sorter takes on the calling thread and without waiting, and those that it does
// not.
#include <sortie/table_sorter.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "table/table_support.hpp"

namespace sortie::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class LittleBatchesTest : public TableTest {
 protected:
  LittleBatchesTest() { options_.keys = {{"key"}}; }

  /// Whether a sorter of such batches takes this one at once. If not, push() takes it. In the end all rows come back.
  void expect_taken(bool is_taken, const HandBuilt& batch, std::size_t rows) {
    TableSorter sorter(*schema_of(batch), options_);
    int releases = 0;
    ArrowArray array = array_of(batch, &releases);
    EXPECT_EQ(sorter.push_if_little(&array), is_taken);
    EXPECT_EQ(array.release == nullptr, is_taken);
    EXPECT_EQ(releases, is_taken ? 1 : 0);
    if (!is_taken) sorter.push(&array);
    EXPECT_EQ(releases, 1);
    EXPECT_EQ(pull_all(sorter).size(), rows);
  }

  static std::vector<std::optional<std::int64_t>> numbers(std::int64_t count) {
    std::vector<std::optional<std::int64_t>> values;
    for (std::int64_t i = 0; i < count; ++i) values.emplace_back(count - i);
    return values;
  }
};

TEST_F(LittleBatchesTest, AreThoseOfFewRows) {
  expect_taken(true, batch_of({int64_column("key", {})}), 0);
  expect_taken(true, batch_of({int64_column("key", {2, std::nullopt}), text_column("text", "u", {"b", "a"})}), 2);
  expect_taken(true, batch_of({int64_column("key", numbers(1024))}), 1024);
  expect_taken(false, batch_of({int64_column("key", numbers(1025))}), 1025);
}

TEST_F(LittleBatchesTest, HaveFewValuesInAllTheirColumns) {
  std::vector<HandBuilt> columns = {int64_column("key", numbers(100))};
  for (int i = 0; i < 80; ++i) columns.push_back(int64_column("c" + std::to_string(i), numbers(100)));
  expect_taken(true, batch_of(columns), 100);
  columns.push_back(int64_column("last", numbers(100)));
  expect_taken(false, batch_of(columns), 100);
}

TEST_F(LittleBatchesTest, HaveNoLongDictionary) {
  const auto with_dictionary = [](std::size_t values) {
    Texts texts;
    for (std::size_t i = 0; i < values; ++i) texts.emplace_back(i % 2 == 0 ? "a" : "b");
    return batch_of({int64_column("key", {2, 1}), dictionary_column("d", {1, 0}, text_column("", "u", texts))});
  };
  expect_taken(true, with_dictionary(100), 2);
  expect_taken(false, with_dictionary(8193), 2);
}

TEST_F(LittleBatchesTest, HoldNoLongLists) {
  const auto with_list = [](std::int64_t elements) {
    const std::vector<std::optional<std::int64_t>> offsets = numbers(elements);
    return batch_of({int64_column("key", {1}),
                     list_column("list", "+l", {static_cast<std::int32_t>(elements)}, int64_column("item", offsets))});
  };
  expect_taken(true, with_list(100), 1);
  expect_taken(false, with_list(8193), 1);
}

/// No check reads the children of an array of indexes, so nothing else may.
TEST_F(LittleBatchesTest, MayHaveIndexesThatClaimChildren) {
  const HandBuilt batch =
      batch_of({int64_column("key", {2, 1}), dictionary_column("d", {1, 0}, text_column("", "u", {"a", "b"}))});
  TableSorter sorter(*schema_of(batch), options_);
  ArrowArray array = array_of(batch);
  array.children[1]->n_children = 1;
  EXPECT_TRUE(sorter.push_if_little(&array));
  EXPECT_EQ(pull_all(sorter).size(), 2U);
}

TEST_F(LittleBatchesTest, FitIntoTheRoomThatThereIs) {
  const auto with_text = [](std::size_t bytes) {
    return batch_of({int64_column("key", {1}), text_column("text", "u", {std::string(bytes, 'x')})});
  };
  expect_taken(false, with_text(2 << 20), 1);
  TableSorter sorter(*schema_of(with_text(1)), options_);
  ArrowArray first = array_of(with_text(600'000));
  EXPECT_FALSE(sorter.push_if_little(&first));
  sorter.push(&first);
  for (int i = 0; i < 2; ++i) {
    ArrowArray next = array_of(with_text(200'000));
    EXPECT_TRUE(sorter.push_if_little(&next));
  }
  ArrowArray second = array_of(with_text(200'000));
  EXPECT_FALSE(sorter.push_if_little(&second));
  sorter.push(&second);
  EXPECT_EQ(pull_all(sorter).size(), 4U);
}

TEST_F(LittleBatchesTest, GoTheirWayInTurnWithOthers) {
  TableSorter sorter(*schema_of(batch_of({int64_column("key", {})})), options_);
  for (std::int64_t i = 0; i < 300; ++i) {
    ArrowArray array = array_of(batch_of({int64_column("key", {300 - i})}));
    if (i % 3 == 0 || !sorter.push_if_little(&array)) sorter.push(&array);
  }
  const RowTexts rows = pull_all(sorter);
  ASSERT_EQ(rows.size(), 300U);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_THAT(rows[i], ElementsAre(std::to_string(i + 1)));
}

TEST_F(LittleBatchesTest, AreRefusedAsOthersAre) {
  const HandBuilt schema = batch_of({int64_column("key", {1})});
  TableSorter sorter(*schema_of(schema), options_);
  HandBuilt damaged = schema;
  damaged.children[0].length = -1;
  int releases = 0;
  ArrowArray array = array_of(damaged, &releases);
  EXPECT_THAT(message_of([&] { sorter.push_if_little(&array); }), HasSubstr("column 'key'"));
  EXPECT_EQ(releases, 1);
  ArrowArray good = array_of(schema);
  EXPECT_THAT(message_of([&] { sorter.push(&good); }), HasSubstr("column 'key'")) << "part of it may be missing";

  TableSorter done(*schema_of(schema), options_);
  EXPECT_TRUE(pull_all(done).empty());
  ArrowArray late = array_of(schema);
  EXPECT_THAT(message_of([&] { done.push_if_little(&late); }), HasSubstr("takes no more rows"));
}

}  // namespace
}  // namespace sortie::test
