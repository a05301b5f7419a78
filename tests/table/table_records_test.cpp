// Rows as records and back, for those who sort the records themselves.
#include <sortie/table_records.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "table/table_support.hpp"

namespace sortie::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TableRecordsTest : public TableTest {
 protected:
  static std::vector<std::byte> encoded(TableRecords& records, const HandBuilt& batch) {
    std::vector<std::byte> bytes;
    int releases = 0;
    ArrowArray array = array_of(batch, &releases);
    records.encode(&array,
                   [&](std::span<const std::byte> some) { bytes.insert(bytes.end(), some.begin(), some.end()); });
    EXPECT_EQ(releases, 1);
    return bytes;
  }

  /// The texts of a column of all rows, of which `most` are decoded at a time.
  static std::vector<std::string> decoded(TableRecords& records, std::span<const std::byte> bytes, std::uint64_t most,
                                          std::size_t column) {
    ArrowSchema schema{};
    records.export_schema(&schema);
    std::vector<std::string> texts;
    while (true) {
      ArrowArray batch{};
      const std::size_t used = records.decode(bytes, most, &batch);
      if (used == 0) break;
      for (std::int64_t i = 0; i < batch.length; ++i) {
        texts.push_back(value_text(*schema.children[column], *batch.children[column], i));
      }
      batch.release(&batch);
      bytes = bytes.subspan(used);
    }
    schema.release(&schema);
    return texts;
  }
};

TEST_F(TableRecordsTest, RecordsOfFixedWidthOrderByTheirFirstBytes) {
  const HandBuilt batch = batch_of({int64_column("row", {1, 2, 3}), int64_column("key", {5, -5, 0})});
  TableRecords records(*schema_of(batch), {{.column = "key", .descending = true}}, 2);
  ASSERT_EQ(records.format().kind, RecordKind::kFixed);
  ASSERT_EQ(records.format().fields.size(), 1U);
  const std::vector<std::byte> bytes = encoded(records, batch);
  const std::size_t width = records.format().record_bytes;
  const std::size_t key = records.format().fields[0].length;
  ASSERT_EQ(bytes.size(), 3 * width);
  EXPECT_LT(std::memcmp(bytes.data(), bytes.data() + 2 * width, key), 0);
  EXPECT_LT(std::memcmp(bytes.data() + 2 * width, bytes.data() + width, key), 0);
  EXPECT_THAT(decoded(records, bytes, 2, 0), ElementsAre("1", "2", "3"));
  EXPECT_THAT(decoded(records, bytes, 100, 1), ElementsAre("5", "-5", "0"));
}

TEST_F(TableRecordsTest, RowsWithTextsArePrefixedAndPartsOfOneAreLeft) {
  const HandBuilt batch = batch_of({text_column("text", "u", {"b", "", "abc"}), int64_column("row", {1, 2, 3})});
  TableRecords records(*schema_of(batch), {{.column = "text"}}, 2);
  EXPECT_EQ(records.format().kind, RecordKind::kPrefixed);
  const std::vector<std::byte> bytes = encoded(records, batch);
  EXPECT_THAT(decoded(records, bytes, 100, 1), ElementsAre("1", "2", "3"));
  EXPECT_THAT(decoded(records, std::span(bytes).first(bytes.size() - 1), 1, 1), ElementsAre("1", "2"));
  EXPECT_THAT(decoded(records, std::span(bytes).first(3), 1, 1), ElementsAre());
}

TEST_F(TableRecordsTest, OtherObjectsMakeTheSameRecords) {
  const HandBuilt batch = batch_of({text_column("text", "u", {"b", "", "abc"}), int64_column("row", {1, 2, 3})});
  TableRecords one(*schema_of(batch), {{.column = "row"}}, 1);
  TableRecords other(*schema_of(batch), {{.column = "row"}}, 2);
  encoded(other, batch_of({text_column("text", "u", {"x"}), int64_column("row", {9})}));
  EXPECT_EQ(encoded(one, batch), encoded(other, batch));
}

TEST_F(TableRecordsTest, DictionariesAreRefusedWhereverTheyAre) {
  const HandBuilt words = dictionary_column("words", {}, text_column("", "u", {}));
  const HandBuilt batch = batch_of({int64_column("key", {}), list_column("list", "+l", {}, words)});
  EXPECT_THAT(message_of([&] { TableRecords(*schema_of(batch), {{.column = "key"}}); }),
              HasSubstr("a record by itself does not hold the values of a dictionary"));
}

TEST_F(TableRecordsTest, OtherColumnsAreRefused) {
  const HandBuilt batch = batch_of({int64_column("key", {})});
  const TableRecords records(*schema_of(batch), {{.column = "key"}});
  EXPECT_THAT(message_of([&] { records.require_schema(*schema_of(batch_of({text_column("key", "u", {})}))); }),
              HasSubstr("key"));
}

}  // namespace
}  // namespace sortie::test
