// Nulls in what the schema declares not null are refused when they come: sorted batches would have the same schema.
#include <sortie/table_sorter.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "table/table_support.hpp"

namespace sortie::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class NullCheckTest : public TableTest {
 protected:
  /// What push() says of a column.
  std::string refusal(const HandBuilt& column) { return refusal_of(batch_of({column})); }

  std::string refusal_of(const HandBuilt& batch) {
    TableSorter sorter(*schema_of(batch), options_);
    ArrowArray array = array_of(batch);
    return message_of([&] { sorter.push(&array); });
  }

  static HandBuilt required(HandBuilt column) {
    column.flags &= ~ARROW_FLAG_NULLABLE;
    return column;
  }

  static HandBuilt uncounted(HandBuilt column) {
    column.null_count = -1;
    return column;
  }

  static HandBuilt runs_of(const std::vector<std::optional<std::int32_t>>& ends, HandBuilt values) {
    HandBuilt runs;
    runs.format = "+r";
    runs.name = "x";
    runs.length = 3;
    runs.children = {required(fixed_column<std::int32_t>("run_ends", "i", ends)), std::move(values)};
    return runs;
  }

  static HandBuilt union_of(const std::string& format, const std::vector<std::int8_t>& ids, HandBuilt a, HandBuilt b) {
    HandBuilt built;
    built.format = format + ":0,1";
    built.name = "x";
    built.length = static_cast<std::int64_t>(ids.size());
    add_buffer(built, bytes_of(ids));
    if (format == "+ud") add_buffer(built, bytes_of<std::int32_t>({0, 1, 2}));
    built.children = {std::move(a), std::move(b)};
    return built;
  }
};

const std::string kRefused =
    " is null in a batch, and the schema that the sort began with declares it not null: declare it nullable there, or "
    "fill the nulls";

TEST_F(NullCheckTest, ANullInARequiredColumnIsRefusedByName) {
  const HandBuilt numbers = int64_column("x", {1, std::nullopt, 3});
  EXPECT_EQ(refusal(numbers), "no error");
  EXPECT_EQ(refusal(required(numbers)), "column 'x': a value" + kRefused);
  EXPECT_EQ(refusal(required(uncounted(numbers))), "column 'x': a value" + kRefused);
  EXPECT_THAT(refusal(required(text_column("x", "vu", {"a", std::nullopt}))),
              StartsWith("column 'x': a value is null"));
  options_.keys = {{"x"}};
  EXPECT_EQ(refusal(required(numbers)), "column 'x': a value" + kRefused);
}

TEST_F(NullCheckTest, BatchesOfANullableSchemaPassIfTheyHoldNoNull) {
  HandBuilt batch = batch_of({int64_column("x", {1, 2, 3})});
  const HandBuilt schema = batch_of({required(int64_column("x", {}))});
  EXPECT_EQ(sorted(schema, {batch}).size(), 3u);
  batch.children[0].has_buffer[0] = true;
  batch.children[0].null_count = -1;
  EXPECT_EQ(sorted(schema, {batch}).size(), 3u);
  const HandBuilt nulls = batch_of({int64_column("x", {1, std::nullopt})});
  EXPECT_THAT(message_of([&] { sorted(schema, {batch, nulls}); }), HasSubstr("column 'x': a value is null"));
}

TEST_F(NullCheckTest, OneNullAmongManyValuesIsFoundWhereverItIs) {
  for (const std::size_t row : {0u, 7u, 8u, 4'095u, 20'000u, 29'994u}) {
    std::vector<std::optional<std::int64_t>> values(30'000, 1);
    values[row] = std::nullopt;
    HandBuilt column = required(int64_column("x", values));
    EXPECT_NE(refusal(column), "no error") << row;
    const auto begin = static_cast<std::int64_t>(row);
    EXPECT_EQ(refusal_of(sliced(batch_of({column}), begin + 1, 5)), "no error") << row;
    EXPECT_NE(refusal_of(sliced(batch_of({column}), begin, 5)), "no error") << row;
  }
}

TEST_F(NullCheckTest, RowsThatAreNullThemselvesAreNullInRequiredColumns) {
  HandBuilt batch = struct_column("", {int64_column("x", {1, 2})}, {true, std::nullopt});
  EXPECT_EQ(refusal_of(batch), "no error");
  EXPECT_EQ(refusal_of(sliced(batch, 0, 1)), "no error");
  batch.children[0] = required(batch.children[0]);
  EXPECT_EQ(refusal_of(batch), "column 'x': a value" + kRefused);
  EXPECT_EQ(refusal_of(sliced(batch, 0, 1)), "no error");
  batch.children[0] = struct_column("x", {required(int64_column("a", {1, std::nullopt}))});
  EXPECT_EQ(refusal_of(batch), "no error");
}

TEST_F(NullCheckTest, FieldsOfStructsMayBeNullOnlyWhereTheStructIs) {
  const HandBuilt field = required(int64_column("a", {1, std::nullopt, 3}));
  EXPECT_EQ(refusal(struct_column("x", {field}, {true, std::nullopt, true})), "no error");
  EXPECT_EQ(refusal(struct_column("x", {field}, {true, true, std::nullopt})),
            "column 'x': field 'a' of a struct<a: int64>" + kRefused);
  EXPECT_EQ(refusal(required(struct_column("x", {field}, {true, std::nullopt, true}))),
            "column 'x': a value" + kRefused);
}

TEST_F(NullCheckTest, ElementsOfListsAndKeysOfMapsAreLookedAt) {
  const HandBuilt item = required(int64_column("item", {1, std::nullopt, 3}));
  for (const std::string format : {"+l", "+L", "+vl", "+vL"}) {
    EXPECT_THAT(refusal(list_column("x", format, {1, 2}, item)), StartsWith("column 'x': an element of a ")) << format;
    EXPECT_EQ(refusal_of(sliced(batch_of({list_column("x", format, {2, 1}, item)}), 1, 1)), "no error") << format;
  }
  HandBuilt fixed = struct_column("x", {item});
  fixed.format = "+w:1";
  EXPECT_EQ(refusal(fixed), "column 'x': an element of a fixed_size_list<int64>[1]" + kRefused);
  const auto map = [&](const HandBuilt& key) {
    return list_column("x", "+m", {1, 2},
                       required(struct_column("entries", {key, int64_column("v", {std::nullopt, 1, 2})})));
  };
  EXPECT_EQ(refusal(map(required(int64_column("k", {1, 2, 3})))), "no error");
  EXPECT_EQ(refusal(map(required(int64_column("k", {1, std::nullopt, 3})))),
            "column 'x': field 'k' of a struct<k: int64, v: int64>" + kRefused);
}

TEST_F(NullCheckTest, OnlyTheChildThatAUnionMeansCounts) {
  const HandBuilt a = required(int64_column("a", {1, std::nullopt, 3}));
  const HandBuilt b = int64_column("b", {1, 2, std::nullopt});
  for (const std::string format : {"+us", "+ud"}) {
    EXPECT_EQ(refusal(union_of(format, {0, 1, 1}, a, b)), "no error") << format;
    EXPECT_THAT(refusal(union_of(format, {0, 0, 1}, a, b)), StartsWith("column 'x': field 'a' of a ")) << format;
  }
}

TEST_F(NullCheckTest, ValuesThatRunsAndIndexesLeadToCount) {
  const HandBuilt values = text_column("values", "u", {"a", std::nullopt});
  EXPECT_EQ(refusal(runs_of({1, 3}, values)), "no error");
  EXPECT_EQ(refusal(required(runs_of({1, 3}, values))), "column 'x': a value" + kRefused);
  EXPECT_EQ(refusal(required(runs_of({3, 4}, values))), "no error");
  EXPECT_EQ(refusal(runs_of({1, 3}, required(values))), "column 'x': a value" + kRefused);
  // Who exports a dictionary may leave the flags of its values at 0.
  EXPECT_EQ(refusal(dictionary_column("x", {0, 1}, required(values))), "no error");
  EXPECT_EQ(refusal(required(dictionary_column("x", {0, 1}, values))), "column 'x': a value" + kRefused);
  EXPECT_EQ(refusal(required(dictionary_column("x", {0, 0}, values))), "no error");
  EXPECT_EQ(refusal(required(dictionary_column("x", {0, std::nullopt}, values))), "column 'x': a value" + kRefused);
  EXPECT_THAT(refusal(required(dictionary_column("x", {0, 9}, values))), HasSubstr("leads out of its dictionary"));
}

TEST_F(NullCheckTest, ARequiredColumnOfNullsHasNoRows) {
  HandBuilt nulls;
  nulls.format = "n";
  nulls.name = "x";
  nulls.flags = 0;
  EXPECT_EQ(refusal(nulls), "no error");
  nulls.length = 1;
  EXPECT_EQ(refusal(nulls), "column 'x': a value" + kRefused);
}

}  // namespace
}  // namespace sortie::test
