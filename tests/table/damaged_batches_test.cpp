// Batches whose offsets, views, positions and run ends lead out of what is there: nothing is read by them.
#include <sortie/table_sorter.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "table/table_support.hpp"

namespace sortie::test {
namespace {

using testing::HasSubstr;

const std::string kLongText = "a text that does not fit a view";

class DamagedBatchesTest : public TableTest {
 protected:
  DamagedBatchesTest() { options_.keys = {{"key"}}; }

  /// What push() says of a column 'x' beside a key.
  std::string refusal(HandBuilt column) {
    column.name = "x";
    const HandBuilt batch = batch_of({row_key(column.length), column});
    return refusal_of(batch);
  }

  /// The same where the column is deep in another.
  std::string refusal_in_list(HandBuilt column) {
    const auto count = static_cast<std::int32_t>(column.length);
    return refusal(list_column("x", "+l", {count}, struct_column("item", {std::move(column)})));
  }

  std::string refusal_of(const HandBuilt& batch) {
    TableSorter sorter(*schema_of(batch), options_);
    int releases = 0;
    ArrowArray array = array_of(batch, &releases);
    const std::string message = message_of([&] { sorter.push(&array); });
    EXPECT_EQ(releases, 1);
    return message;
  }

  static HandBuilt row_key(std::int64_t count) {
    HandBuilt key = row_numbers(static_cast<std::size_t>(count));
    key.name = "key";
    return key;
  }

  template <class Offset>
  static HandBuilt with_offsets(HandBuilt column, const std::vector<Offset>& offsets) {
    column.buffers[1] = bytes_of(offsets);
    return column;
  }

  static HandBuilt runs_of(const std::vector<std::optional<std::int32_t>>& ends, HandBuilt values) {
    HandBuilt runs;
    runs.format = "+r";
    runs.length = 3;
    runs.children = {fixed_column<std::int32_t>("run_ends", "i", ends), std::move(values)};
    return runs;
  }

  static HandBuilt dense_union(const std::vector<std::int8_t>& ids, const std::vector<std::int32_t>& positions) {
    HandBuilt built;
    built.format = "+ud:0,1";
    built.name = "union";
    built.length = static_cast<std::int64_t>(ids.size());
    add_buffer(built, bytes_of(ids));
    add_buffer(built, bytes_of(positions));
    built.children = {int64_column("a", {1, 2}), text_column("b", "u", {"x", "y"})};
    return built;
  }

  static void set_view(HandBuilt& views, std::size_t at, std::int32_t number) {
    views.buffers[1].replace(at, sizeof number, reinterpret_cast<const char*>(&number), sizeof number);
  }
};

TEST_F(DamagedBatchesTest, OffsetsOfTextsThatFallAreRefused) {
  const HandBuilt texts = text_column("x", "u", {"a", "b", "c"});
  EXPECT_EQ(refusal(texts), "no error");
  EXPECT_EQ(refusal(with_offsets<std::int32_t>(texts, {0, 5, 2, 7})),
            "column 'x': offsets of a string fall: the batch is damaged");
  EXPECT_THAT(refusal(with_offsets<std::int32_t>(texts, {-4, 0, 1, 2})), HasSubstr("offsets of a string fall"));
  const HandBuilt large = text_column("x", "Z", {"a", "b", "c"});
  EXPECT_THAT(refusal(with_offsets<std::int64_t>(large, {0, 1, 2, -1})), HasSubstr("offsets of a large_binary fall"));
  EXPECT_THAT(refusal_in_list(with_offsets<std::int32_t>(texts, {0, 3, 2, 3})), HasSubstr("offsets of a string fall"));
}

TEST_F(DamagedBatchesTest, OffsetsThatFallAreFoundAmongManyRows) {
  Texts many(200'000, "x");
  for (const std::size_t row : {0u, 65'535u, 65'536u, 199'999u}) {
    HandBuilt texts = text_column("x", "u", many);
    const std::int32_t far = std::numeric_limits<std::int32_t>::max();
    texts.buffers[1].replace(row * sizeof far, sizeof far, reinterpret_cast<const char*>(&far), sizeof far);
    EXPECT_THAT(refusal(texts), HasSubstr("fall")) << row;
  }
}

TEST_F(DamagedBatchesTest, OnlyRowsOfTheBatchCount) {
  const HandBuilt texts = with_offsets<std::int32_t>(text_column("x", "u", {"a", "b", "c"}), {9, 0, 1, 2});
  EXPECT_EQ(refusal_of(sliced(batch_of({row_key(3), texts}), 1, 2)), "no error");
  EXPECT_THAT(refusal_of(sliced(batch_of({row_key(3), texts}), 0, 2)), HasSubstr("offsets of a string fall"));
}

TEST_F(DamagedBatchesTest, OffsetsThatFallAreRefusedInKeysAndDictionaries) {
  const HandBuilt texts = with_offsets<std::int32_t>(text_column("key", "u", {"a", "b", "c"}), {0, 5, 2, 7});
  EXPECT_THAT(refusal_of(batch_of({texts})), HasSubstr("column 'key': offsets of a string fall"));
  EXPECT_THAT(refusal_of(batch_of({dictionary_column("key", {0, 1, 2}, texts)})),
              HasSubstr("column 'key': offsets of a string fall"));
}

TEST_F(DamagedBatchesTest, TextsWithoutBytesAreRefused) {
  HandBuilt texts = text_column("x", "u", {"a", "b"});
  texts.has_buffer[2] = false;
  EXPECT_THAT(refusal(texts), HasSubstr("column 'x': values of a string have no bytes"));
  HandBuilt empty = text_column("x", "u", {"", ""});
  empty.has_buffer[2] = false;
  EXPECT_EQ(refusal(empty), "no error");
}

TEST_F(DamagedBatchesTest, ValuesWithoutTheirBufferMustAllBeNull) {
  HandBuilt numbers = int64_column("x", {1, std::nullopt, 3});
  numbers.has_buffer[1] = false;
  EXPECT_THAT(refusal(numbers),
              HasSubstr("column 'x': an array of int64 has no buffer of values: the batch is damaged"));
  HandBuilt nulls = int64_column("x", {std::nullopt, std::nullopt});
  nulls.has_buffer[1] = false;
  EXPECT_EQ(refusal(nulls), "no error");
  HandBuilt positions = dense_union({0, 1}, {0, 0});
  positions.has_buffer[1] = false;
  EXPECT_THAT(refusal(positions), HasSubstr("no buffer of values"));
}

TEST_F(DamagedBatchesTest, ListsOfPartsThatAreMissingAreRefused) {
  const auto refusal_without = [&](const auto& remove) {
    const HandBuilt batch = batch_of({row_key(2), struct_column("x", {int64_column("a", {1, 2})})});
    TableSorter sorter(*schema_of(batch), options_);
    ArrowArray array = array_of(batch);
    remove(array);
    return message_of([&] { sorter.push(&array); });
  };
  EXPECT_EQ(refusal_without([](ArrowArray& batch) { batch.children = nullptr; }),
            "a batch has no list of columns: it is damaged");
  EXPECT_EQ(refusal_without([](ArrowArray& batch) { batch.children[1] = nullptr; }),
            "column 'x': it is not there: the batch is damaged");
  EXPECT_EQ(refusal_without([](ArrowArray& batch) { batch.children[1]->children = nullptr; }),
            "column 'x': an array of struct<a: int64> has no list of children: the batch is damaged");
  EXPECT_EQ(refusal_without([](ArrowArray& batch) { batch.children[1]->buffers = nullptr; }),
            "column 'x': an array of struct<a: int64> has no list of buffers: the batch is damaged");
  EXPECT_EQ(refusal_without([](ArrowArray& batch) { batch.children[1]->n_children = 0; }),
            "column 'x': a batch has 0 children, which is no struct<a: int64>: give batches of the schema that the "
            "sort began with");
}

TEST_F(DamagedBatchesTest, ViewsThatLeadOutOfTheirBuffersAreRefused) {
  const HandBuilt views = text_column("x", "vu", {kLongText, "short", kLongText});
  const std::string refused = "column 'x': a value of a string_view leads out of its buffers: the batch is damaged";
  EXPECT_EQ(refusal(views), "no error");
  const std::pair<std::size_t, std::int32_t> wrong[] = {{0, 32}, {0, -1}, {8, 7}, {8, 2}, {12, 1}, {32 + 12, -1}};
  for (const auto& [at, number] : wrong) {
    HandBuilt damaged = views;
    set_view(damaged, at, number);
    EXPECT_EQ(refusal(damaged), refused) << at << ": " << number;
    EXPECT_EQ(refusal_in_list(damaged), refused) << at << ": " << number;
  }
  HandBuilt without_buffers = views;
  without_buffers.has_buffer[2] = false;
  EXPECT_EQ(refusal(without_buffers), refused);
  HandBuilt null = text_column("x", "vu", {kLongText, std::nullopt, kLongText});
  set_view(null, 16, 1000);
  EXPECT_EQ(refusal(null), "no error");
}

TEST_F(DamagedBatchesTest, ListsThatLeadOutOfTheirElementsAreRefused) {
  const HandBuilt list = list_column("x", "+l", {1, 1}, int64_column("item", {1, 2}));
  EXPECT_THAT(refusal(with_offsets<std::int32_t>(list, {0, 2, 1})),
              HasSubstr("column 'x': offsets of a list<int64> fall"));
  EXPECT_THAT(refusal(with_offsets<std::int32_t>(list, {-1, 0, 1})), HasSubstr("offsets of a list<int64> fall"));
  EXPECT_THAT(refusal(with_offsets<std::int32_t>(list, {0, 1, 3})), HasSubstr("2 values where 3 are needed"));
  HandBuilt view = list_column("x", "+vL", {1, 1}, int64_column("item", {1, 2}));
  EXPECT_EQ(refusal(view), "no error");
  for (const auto& [first, count] : {std::pair<std::int64_t, std::int64_t>{2, 1}, {-1, 1}, {0, -1}, {0, 3}}) {
    view.buffers[1] = bytes_of<std::int64_t>({0, first});
    view.buffers[2] = bytes_of<std::int64_t>({1, count});
    EXPECT_THAT(refusal(view), HasSubstr("a value of a large_list_view<int64> leads out of its elements"));
  }
}

TEST_F(DamagedBatchesTest, SizesThatAreTooLargeToCountAreRefused) {
  HandBuilt list = int64_column("x", {1, 2});
  list = struct_column("x", {list});
  list.format = "+w:2000000000";
  list.length = std::numeric_limits<std::int64_t>::max() / 1000;
  HandBuilt batch = batch_of({row_key(1), list});
  EXPECT_THAT(refusal_of(batch),
              HasSubstr("column 'x': an array of fixed_size_list<int64>[2000000000] has too large a length or offset"));
  batch = batch_of({row_key(1)});
  batch.offset = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(refusal_of(batch), HasSubstr("too large a length or offset"));
}

TEST_F(DamagedBatchesTest, UnionsThatLeadOutOfTheirChildrenAreRefused) {
  EXPECT_EQ(refusal(dense_union({0, 1}, {1, 1})), "no error");
  EXPECT_THAT(refusal(dense_union({0, 1}, {1, 900'000'000})),
              HasSubstr("leads out of its child: the batch is damaged"));
  EXPECT_THAT(refusal(dense_union({0, 1}, {-1, 1})), HasSubstr("leads out of its child"));
  EXPECT_THAT(refusal(dense_union({0, 5}, {0, 0})), HasSubstr("column 'x': a value of a dense_union"));
  EXPECT_THAT(refusal(dense_union({0, -1}, {0, 0})), HasSubstr("type id 255, which is none of its children"));
}

TEST_F(DamagedBatchesTest, RunsThatFallOrEndTooEarlyAreRefused) {
  const HandBuilt values = text_column("values", "u", {"a", "b"});
  const std::string fall = "column 'x': run ends of a run_end_encoded<int32, string> fall: the batch is damaged";
  EXPECT_EQ(refusal(runs_of({1, 3}, values)), "no error");
  EXPECT_EQ(refusal(runs_of({2, 2}, values)), fall);
  EXPECT_EQ(refusal(runs_of({-1, 0}, values)),
            "column 'x': run ends of a run_end_encoded<int32, string> fall: the batch is damaged");
  EXPECT_THAT(refusal(runs_of({1, 2}, values)), HasSubstr("end before its values"));
  EXPECT_THAT(refusal(runs_of({1, 2, 3}, values)), HasSubstr("fewer values than runs"));
  HandBuilt bare = runs_of({1, 3}, values);
  bare.children[0].has_buffer[1] = false;
  EXPECT_THAT(refusal(bare), HasSubstr("no buffer of"));
  // Runs that no row is in are not looked at, unless a search for one would go wrong by them.
  const HandBuilt more = text_column("values", "u", {"a", "b", "c"});
  EXPECT_EQ(refusal(runs_of({1, 3, 2}, more)), "no error");
  EXPECT_EQ(refusal(runs_of({100, 2, 3}, more)), fall);
}

TEST_F(DamagedBatchesTest, ValuesOfRunsAreLookedAt) {
  const HandBuilt values = with_offsets<std::int32_t>(text_column("values", "u", {"a", "b"}), {0, 2, 1});
  EXPECT_THAT(refusal(runs_of({1, 3}, values)), HasSubstr("column 'x': offsets of a string fall"));
}

}  // namespace
}  // namespace sortie::test
