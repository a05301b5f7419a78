// A table sorter as its callers see it: schemas, batches that are none, calls in the wrong order, what ends a sort.
#include <sortie/table_sorter.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "table/table_support.hpp"

namespace sortie::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TableSorterTest : public TableTest {
 protected:
  TableSorterTest() { options_.keys = {{"key"}}; }

  static HandBuilt small_batch() {
    return batch_of({int64_column("key", {2, 1}), text_column("text", "u", {"b", "a"})});
  }

  /// What push() says to a batch of `array`s form after a schema of `schema`.
  std::string refusal(const HandBuilt& schema, const HandBuilt& batch) {
    TableSorter sorter(*schema_of(schema), options_);
    int releases = 0;
    ArrowArray array = array_of(batch, &releases);
    const std::string message = message_of([&] { sorter.push(&array); });
    EXPECT_EQ(releases, 1);
    return message;
  }
};

TEST_F(TableSorterTest, ASchemaComesBackWithAllThatIsInIt) {
  HandBuilt list = list_column("list", "+l", {}, int64_column("item", {}));
  list.metadata = std::string("\2\0\0\0\4\0\0\0name\5\0\0\0value\0\0\0\0\0\0\0\0", 29);
  list.flags = 0;
  HandBuilt dictionary = dictionary_column("dictionary", {}, text_column("", "u", {}));
  dictionary.flags = ARROW_FLAG_DICTIONARY_ORDERED;
  HandBuilt map =
      list_column("map", "+m", {}, struct_column("entries", {int64_column("key", {}), int64_column("v", {})}));
  map.flags = ARROW_FLAG_MAP_KEYS_SORTED;
  ArrowSchema copy{};
  {
    auto schema = schema_of(batch_of({int64_column("key", {}), list, dictionary, map}));
    const TableSorter sorter(*schema, options_);
    schema.reset();
    sorter.export_schema(&copy);
  }
  ASSERT_EQ(copy.n_children, 4);
  EXPECT_STREQ(copy.format, "+s");
  EXPECT_EQ(std::string(copy.children[1]->metadata, 29), list.metadata);
  EXPECT_EQ(copy.children[0]->metadata, nullptr);
  EXPECT_EQ(copy.children[1]->flags, 0);
  EXPECT_STREQ(copy.children[1]->children[0]->name, "item");
  EXPECT_STREQ(copy.children[1]->children[0]->format, "l");
  EXPECT_EQ(copy.children[2]->flags, ARROW_FLAG_DICTIONARY_ORDERED);
  EXPECT_STREQ(copy.children[2]->dictionary->format, "u");
  EXPECT_EQ(copy.children[3]->flags, ARROW_FLAG_MAP_KEYS_SORTED);
  copy.release(&copy);
  EXPECT_EQ(copy.release, nullptr);
}

TEST_F(TableSorterTest, SortedBatchesOutliveTheSorterAndTheirParts) {
  ArrowArray batch{};
  ArrowArray child{};
  {
    TableSorter sorter(*schema_of(small_batch()), options_);
    ArrowArray array = array_of(small_batch());
    sorter.push(&array);
    ASSERT_TRUE(sorter.pull(&batch));
  }
  child = *batch.children[1];
  batch.children[1]->release = nullptr;  // moved
  batch.release(&batch);
  EXPECT_EQ(value_text(*schema_of(text_column("text", "u", {})), child, 0), "'a'");
  child.release(&child);
}

TEST_F(TableSorterTest, ATableWithoutRowsOrColumnsHasNone) {
  EXPECT_THAT(sorted(small_batch(), {}), IsEmpty());
  EXPECT_THAT(sorted(small_batch(), {sliced(small_batch(), 1, 0)}), IsEmpty());
  EXPECT_EQ(report_.output_records, 0u);
  options_.keys.clear();
  HandBuilt batch = batch_of({});
  batch.length = 3;
  EXPECT_EQ(sorted({batch, batch}).size(), 6u);
}

TEST_F(TableSorterTest, BatchesHaveTheRowsThatAreAskedFor) {
  options_.batch_rows = 2;
  sorted({small_batch(), small_batch(), sliced(small_batch(), 0, 1)});
  EXPECT_THAT(batch_lengths_, ElementsAre(2, 2, 1));
  options_.batch_rows = 0;
  EXPECT_THAT(message_of([&] { sorted({small_batch()}); }), HasSubstr("batch_rows is at least 1"));
}

TEST_F(TableSorterTest, BatchesOfWideRowsHaveFewUnlessTheirRowsAreAskedFor) {
  options_.keys = {{"key"}};
  std::vector<std::optional<std::int64_t>> keys;
  Texts texts;
  for (std::int64_t i = 0; i < 8; ++i) {
    keys.emplace_back(i);
    texts.emplace_back(std::string(i == 6 ? 5 << 20 : 1 << 20, 'x'));
  }
  const HandBuilt batch = batch_of({int64_column("key", keys), text_column("text", "u", texts)});
  sorted({batch});
  EXPECT_THAT(batch_lengths_, ElementsAre(3, 3, 1, 1));
  options_.batch_rows = 7;
  sorted({batch});
  EXPECT_THAT(batch_lengths_, ElementsAre(7, 1));
}

/// Rows whose keys tell them apart, with another column.
HandBuilt keyed(HandBuilt column) {
  std::vector<std::optional<std::int64_t>> keys;
  for (std::int64_t i = 0; i < column.length; ++i) keys.emplace_back(i);
  return batch_of({int64_column("key", keys), std::move(column)});
}

/// A struct of so many numbers, all null.
HandBuilt nulls_in_structs(std::size_t rows, std::size_t fields) {
  const std::vector<std::optional<std::int64_t>> nulls(rows);
  std::vector<HandBuilt> columns;
  while (columns.size() < fields) columns.push_back(int64_column("number", nulls));
  return struct_column("struct", std::move(columns));
}

TEST_F(TableSorterTest, BatchesOfNullsInStructsHaveFewRows) {
  options_.keys = {{"key"}};
  options_.sort.unique = true;  // so that they are records
  sorted({keyed(nulls_in_structs(1100, 1000))});
  EXPECT_THAT(batch_lengths_, ElementsAre(523, 523, 54));  // of 8008 bytes in columns, and a ninth of that as records
}

TEST_F(TableSorterTest, BatchesOfNullsInListsHaveFewRows) {
  options_.keys = {{"key"}};
  options_.sort.unique = true;
  const Lengths lengths(160, 50);
  sorted({keyed(list_column("list", "+l", lengths, nulls_in_structs(160 * 50, 200)))});
  ASSERT_GT(batch_lengths_.size(), 1u);
  EXPECT_THAT(batch_lengths_, testing::Each(testing::Le(52)));  // of 80000 bytes in columns, and 460 as records
  EXPECT_GE(batch_lengths_[0], 46);
}

TEST_F(TableSorterTest, BatchesOfManyColumnsHoldSomethingOfEach) {
  options_.keys = {{"key"}};
  const std::vector<std::optional<std::int64_t>> numbers(700, 7);
  std::vector<HandBuilt> columns = {int64_column("key", numbers)};
  while (columns.size() < 1024) columns.push_back(int64_column("other", numbers));
  sorted({batch_of(columns)});  // 5.6 MB
  EXPECT_THAT(batch_lengths_, ElementsAre(700));
}

TEST_F(TableSorterTest, BatchesOfShortRunEndsAreNoLongerThanTheseCount) {
  HandBuilt runs;
  runs.format = "+r";
  runs.name = "key";
  runs.length = 30'000;
  runs.children = {fixed_column<std::int16_t>("run_ends", "s", {30'000}), int64_column("values", {7})};
  sorted({batch_of({runs}), batch_of({runs})});
  EXPECT_THAT(batch_lengths_, ElementsAre(32'767, 27'233));
  const HandBuilt within = struct_column("key", {runs});
  options_.keys.clear();
  sorted({batch_of({within}), batch_of({within})});
  EXPECT_THAT(batch_lengths_, ElementsAre(32'767, 27'233));
}

TEST_F(TableSorterTest, ShortRunEndsInListsAreRefusedBeforeARowIsRead) {
  HandBuilt runs;
  runs.format = "+r";
  runs.name = "item";
  runs.children = {fixed_column<std::int16_t>("run_ends", "s", {}), int64_column("values", {})};
  options_.keys.clear();
  const auto message = [&](const HandBuilt& column) { return message_of([&] { sorted(batch_of({column}), {}); }); };
  EXPECT_EQ(
      message(list_column("words", "+l", {}, runs)),
      "column 'words': run ends of 16 bits in a list<run_end_encoded<int16, int64>> may be too small for the values "
      "of a sorted batch: cast them to 32 bits");
  HandBuilt fixed = struct_column("fixed", {runs});
  fixed.format = "+w:3";
  EXPECT_EQ(message(fixed), "no error");
  fixed.format = "+w:32768";
  EXPECT_THAT(message(fixed), HasSubstr("column 'fixed': run ends of 16 bits"));
  runs.children[0].format = "i";
  EXPECT_EQ(message(list_column("words", "+l", {}, runs)), "no error");
}

TEST_F(TableSorterTest, TypesThatAreNotKnownAreRefusedByTheColumnsName) {
  HandBuilt strange = int64_column("strange", {});
  strange.format = "tsx:";
  EXPECT_THAT(message_of([&] { sorted(batch_of({strange}), {}); }),
              HasSubstr("column 'strange': its type, 'tsx:' in the Arrow C data interface, is not known"));
  strange.format = "+l";
  EXPECT_THAT(message_of([&] { sorted(batch_of({strange}), {}); }), HasSubstr("column 'strange'"));
  HandBuilt deep = int64_column("item", {});
  for (int i = 0; i < 100; ++i) deep = list_column("deep", "+l", {}, deep);
  EXPECT_THAT(message_of([&] { sorted(batch_of({deep}), {}); }), HasSubstr("column 'deep': it is nested in more than"));
  EXPECT_THAT(message_of([&] { sorted(int64_column("key", {}), {}); }),
              HasSubstr("the schema of a table is a struct of its columns"));
  auto released = schema_of(small_batch());
  released->release(released.get());
  EXPECT_THAT(message_of([&] { TableSorter(*released, options_); }), HasSubstr("has been released"));
}

TEST_F(TableSorterTest, SchemasOfOtherTablesAreToldApart) {
  const TableSorter sorter(*schema_of(small_batch()), options_);
  const auto message = [&](const HandBuilt& batch) {
    return message_of([&] { sorter.require_schema(*schema_of(batch)); });
  };
  const HandBuilt key = int64_column("key", {});
  EXPECT_EQ(message(small_batch()), "no error");
  EXPECT_THAT(message(batch_of({key, text_column("txt", "u", {})})),
              HasSubstr("column 2 is 'txt' here, and was 'text' before"));
  EXPECT_THAT(message(batch_of({key, list_column("text", "+l", {}, key)})),
              HasSubstr("column 'text' is of type list<int64> here, and was of type string before"));
  EXPECT_THAT(message(batch_of({key})), HasSubstr("column 'text' is missing here"));
  EXPECT_THAT(message(batch_of({key, text_column("text", "u", {}), key})),
              HasSubstr("column 'key' is here, and was not there before"));
}

TEST_F(TableSorterTest, DictionariesThatAreOrderedAreOfAnotherType) {
  const HandBuilt plain = batch_of({dictionary_column("key", {}, text_column("", "u", {}))});
  HandBuilt ordered = plain;
  ordered.children[0].flags |= ARROW_FLAG_DICTIONARY_ORDERED;
  const auto message = [&](const HandBuilt& first, const HandBuilt& other) {
    const TableSorter sorter(*schema_of(first), options_);
    return message_of([&] { sorter.require_schema(*schema_of(other)); });
  };
  EXPECT_EQ(message(ordered, ordered), "no error");
  EXPECT_THAT(message(plain, ordered), HasSubstr("column 'key' is of type dictionary<string, int8, ordered> here, and "
                                                 "was of type dictionary<string, int8> before"));
  EXPECT_THAT(message(ordered, plain), HasSubstr("column 'key' is of type dictionary<string, int8> here"));
}

TEST_F(TableSorterTest, BatchesOfAnotherFormAreRefusedByTheColumnsName) {
  const HandBuilt schema = small_batch();
  EXPECT_THAT(refusal(schema, batch_of({int64_column("key", {1})})), HasSubstr("a batch has 1 columns"));
  EXPECT_THAT(
      refusal(schema, batch_of({int64_column("key", {1}), int64_column("text", {1})})),
      HasSubstr("column 'text': a batch has 2 buffers, which is no string: give batches of the schema that the"));
  EXPECT_THAT(refusal(schema, batch_of({int64_column("key", {1, 2}), text_column("text", "u", {"a"})})),
              HasSubstr("column 'text': an array of string has 1 values where 2 are needed: the batch is damaged"));
  HandBuilt bare = schema;
  bare.children[0].has_buffer[1] = false;
  EXPECT_THAT(refusal(schema, bare),
              HasSubstr("column 'key': an array of int64 has no buffer of values: the batch is damaged"));
  HandBuilt negative = schema;
  negative.children[0].offset = -1;
  EXPECT_THAT(refusal(schema, negative),
              HasSubstr("column 'key': an array of int64 has a negative length or offset: the batch is damaged"));
  const HandBuilt listed = batch_of({int64_column("key", {1}), list_column("l", "+l", {1}, int64_column("item", {1}))});
  HandBuilt short_child = listed;
  short_child.children[1].children[0].length = 0;
  EXPECT_THAT(refusal(listed, short_child),
              HasSubstr("column 'l': an array of int64 has 0 values where 1 are needed: the batch is damaged"));
  HandBuilt childless = listed;
  childless.children[1].children.clear();
  EXPECT_THAT(refusal(listed, childless), HasSubstr("column 'l': a batch has 0 children"));
  const HandBuilt words =
      batch_of({int64_column("key", {1}), dictionary_column("word", {5}, text_column("", "u", {"a"}))});
  EXPECT_THAT(
      refusal(words, words),
      HasSubstr("column 'word': an index of a dictionary<string, int8> leads out of its dictionary of 1 values"));
  HandBuilt plain = words;
  plain.children[1].dictionary.clear();
  EXPECT_THAT(refusal(words, plain), HasSubstr("column 'word': a batch has no dictionary"));
}

TEST_F(TableSorterTest, WhatHasFailedFailsFromThenOn) {
  TableSorter sorter(*schema_of(small_batch()), options_);
  ArrowArray wrong = array_of(batch_of({}));
  EXPECT_THROW(sorter.push(&wrong), Error);
  ArrowArray right = array_of(small_batch());
  EXPECT_THROW(sorter.push(&right), Error);
  EXPECT_EQ(right.release, nullptr);
  ArrowArray batch{};
  EXPECT_THROW(sorter.pull(&batch), Error);
}

TEST_F(TableSorterTest, NothingIsTakenAnyMoreOnceRowsArePulled) {
  TableSorter sorter(*schema_of(small_batch()), options_);
  ArrowArray batch{};
  EXPECT_FALSE(sorter.pull(&batch));
  EXPECT_FALSE(sorter.pull(&batch));
  int releases = 0;
  ArrowArray late = array_of(small_batch(), &releases);
  EXPECT_THAT(message_of([&] { sorter.push(&late); }), HasSubstr("push all of them before"));
  EXPECT_EQ(releases, 1);
}

TEST_F(TableSorterTest, OptionsThatAreForLinesOrOtherwiseSetAreRefused) {
  options_.sort.format = parse_format("u32");
  EXPECT_THAT(message_of([&] { sorted({small_batch()}); }), HasSubstr("the schema tells how rows are sorted"));
  options_.sort.format = {};
  options_.sort.count = true;
  EXPECT_THAT(message_of([&] { sorted({small_batch()}); }), HasSubstr("cannot be counted"));
  options_.sort.count = false;
  options_.sort.header_lines = 1;
  EXPECT_THAT(message_of([&] { sorted({small_batch()}); }), HasSubstr("no header lines"));
  options_.sort.header_lines = 0;
  options_.sort.output = "file";
  EXPECT_THAT(message_of([&] { sorted({small_batch()}); }), HasSubstr("name no output"));
}

HandBuilt ordered_batch(const std::vector<std::optional<std::int8_t>>& indexes, const Texts& words) {
  HandBuilt column = dictionary_column("key", indexes, text_column("", "u", words));
  column.flags = ARROW_FLAG_DICTIONARY_ORDERED | ARROW_FLAG_NULLABLE;
  return batch_of({column});
}

TEST_F(TableSorterTest, AnOrderedDictionaryOrdersByItsPlaces) {
  const HandBuilt first = ordered_batch({1, std::nullopt, 0}, {"small", "large"});
  const HandBuilt further = ordered_batch({2, 0}, {"small", "large", "huge"});
  const RowTexts rows = sorted(first, {first, further});
  EXPECT_EQ(rows, (RowTexts{{"'small'"}, {"'small'"}, {"'large'"}, {"'huge'"}, {"null"}}));
}

TEST_F(TableSorterTest, OrderedDictionariesThatContradictEachOtherAreRefused) {
  const HandBuilt first = ordered_batch({1, 0}, {"small", "large"});
  for (const HandBuilt& other : {ordered_batch({0}, {"large", "small"}), ordered_batch({0}, {"tiny"})}) {
    EXPECT_THAT(message_of([&] { sorted(first, {first, other}); }), HasSubstr("dictionaries of different orders"));
  }
}

TEST_F(TableSorterTest, AnOrderedDictionaryWithAValueTwiceIsRefused) {
  const HandBuilt batch = ordered_batch({1, 0}, {"small", "large", "small"});
  EXPECT_THAT(message_of([&] { sorted(batch, {batch}); }), HasSubstr("its dictionary has a value twice"));
}

TEST_F(TableSorterTest, AStopEndsTheSort) {
  std::stop_source stop;
  options_.sort.stop = stop.get_token();
  TableSorter sorter(*schema_of(small_batch()), options_);
  ArrowArray first = array_of(small_batch());
  sorter.push(&first);
  stop.request_stop();
  ArrowArray second = array_of(small_batch());
  EXPECT_THROW(sorter.push(&second), Stopped);
  ArrowArray batch{};
  EXPECT_THROW(sorter.pull(&batch), Stopped);
}

TEST_F(TableSorterTest, MayBeGivenUpAtAnyTime) {
  { const TableSorter never_used(*schema_of(small_batch()), options_); }
  TableSorter pushed(*schema_of(small_batch()), options_);
  ArrowArray array = array_of(small_batch());
  pushed.push(&array);
}

}  // namespace
}  // namespace sortie::test
