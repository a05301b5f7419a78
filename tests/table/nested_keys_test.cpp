// Keys that are fields of structs, and keys that are positions.
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
using testing::IsEmpty;

using NestedKeysTest = TableTest;

/// Rows 0 to 5 with the column `user`, of structs with `id` and the struct `name` with `first`. Row 1 has no user, row
/// 3 no name; row 4 has a name without a first one. The values under what is null are there, and would come in front.
HandBuilt users() {
  const HandBuilt first = text_column("first", "u", {"d", "", "c", "", std::nullopt, "a"});
  const HandBuilt name = struct_column("name", {first}, {true, true, true, std::nullopt, true, true});
  const HandBuilt id = int64_column("id", {5, -9, 5, 3, 3, 4});
  return batch_of({struct_column("user", {id, name}, {true, std::nullopt, true, true, true, true}), row_numbers(6)});
}

TEST_F(NestedKeysTest, RowsOrderByAFieldAndAreNullWhereAStructAroundItIs) {
  options_.keys = {{"user.name.first"}};
  EXPECT_THAT(column(sorted({users()}), 1), ElementsAre("5", "2", "0", "1", "3", "4"));
  options_.keys = {{"user.name.first", true, true}};
  EXPECT_THAT(column(sorted({users()}), 1), ElementsAre("1", "3", "4", "0", "2", "5"));
}

TEST_F(NestedKeysTest, FieldsAreKeysBesideOthersAndTheColumnComesBackWhole) {
  options_.keys = {{"user.id"}, {"user.id", true}, {"user.name.first"}};
  const auto rows = sorted({users()});
  EXPECT_THAT(column(rows, 1), ElementsAre("3", "4", "5", "2", "0", "1"));
  options_.keys = {{"row"}};
  const auto unsorted = sorted({users()});
  for (const auto& row : rows) EXPECT_THAT(unsorted, testing::Contains(row));
}

TEST_F(NestedKeysTest, StructsBeginSomewhereInTheirArrays) {
  options_.keys = {{"user.name.first"}, {"row", true}};
  EXPECT_THAT(column(sorted(users(), {sliced(users(), 1, 5), sliced(users(), 0, 1)}), 1),
              ElementsAre("5", "2", "0", "4", "3", "1"));
  const HandBuilt within = batch_of({sliced(users().children[0], 2, 4), row_numbers(4)});
  EXPECT_THAT(column(sorted(users(), {within}), 1), ElementsAre("3", "0", "2", "1"));
}

TEST_F(NestedKeysTest, AColumnOfTheWholeNameComesFirstAndThenTheLongestName) {
  const auto pair = [](const std::string& column, const std::string& field, std::vector<std::int64_t> values) {
    return struct_column(column, {int64_column(field, {values[0], values[1]})});
  };
  const HandBuilt whole = int64_column("a.b.c", {2, 1});
  const HandBuilt longest = pair("a.b", "c", {1, 2});
  const HandBuilt other = pair("a", "b.c", {1, 2});
  const auto target = [](const std::vector<HandBuilt>& columns) {
    return find_key(*schema_of(batch_of(columns)), {.column = "a.b.c"});
  };
  EXPECT_EQ(target({other, longest, whole}).column, 2U);
  EXPECT_THAT(target({other, longest, whole}).fields, IsEmpty());
  EXPECT_EQ(target({other, longest}).column, 1U);
  EXPECT_THAT(target({other, longest}).fields, ElementsAre(0U));
  EXPECT_THAT(target({other}).fields, ElementsAre(0U));
  // A column that has no such field does not hide one that has.
  EXPECT_EQ(target({other, pair("a.b", "d", {1, 2})}).column, 0U);
}

TEST_F(NestedKeysTest, FieldsThatAreNotThereOrHaveNoOrderAreRefusedByName) {
  const auto told = [&](const std::string& key) {
    return message_of([&] { find_key(*schema_of(users()), {.column = key}, "'in.parquet'"); });
  };
  EXPECT_THAT(told("user.age"), HasSubstr("key 'user.age': column 'user' of 'in.parquet' has no field 'age'; it has"));
  EXPECT_THAT(told("row.x"), HasSubstr("column 'row' of 'in.parquet' is of type int64, which has no fields"));
  EXPECT_THAT(told("x.user"), HasSubstr("key 'x.user': 'in.parquet' has no such column; it has"));
  for (const std::string key : {".", "user.", ".id", "user..id"})
    EXPECT_THAT(told(key), HasSubstr("key '" + key + "'"));
  options_.keys = {{"user.name"}};
  EXPECT_THAT(message_of([&] { sorted({users()}); }),
              HasSubstr("have no order; sort by another column, or by a field"));
}

TEST_F(NestedKeysTest, PositionsCountFromBothEndsAndTellColumnsOfOneNameApart) {
  const HandBuilt batch = batch_of({int64_column("n", {1, 2, 3}), int64_column("n", {2, 3, 1}), row_numbers(3)});
  const auto rows_by = [&](std::int64_t position) {
    options_.keys = {{.column = {}, .position = position}};
    return column(sorted({batch}), 2);
  };
  EXPECT_THAT(rows_by(0), ElementsAre("0", "1", "2"));
  EXPECT_THAT(rows_by(1), ElementsAre("2", "0", "1"));
  EXPECT_THAT(rows_by(-2), ElementsAre("2", "0", "1"));
  for (const std::int64_t position : {3, -4}) {
    EXPECT_THAT(message_of([&] { rows_by(position); }), HasSubstr("they are numbered from 0 to 2"));
  }
}

}  // namespace
}  // namespace sortie::test
