// CSV records with their keys in front.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "record/csv/csv_order.hpp"
#include "record/text/record_codec.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

std::string encoded(const RecordCodec& codec, std::string_view record, std::uint64_t position = 0) {
  EncodedLines out;
  codec.encode(as_bytes(record), position, out);
  return std::string(as_text(out.bytes()));
}

/// The records in the order of their encoded lines' bytes.
std::string sorted_by_codec(const Format& format, const std::string& text) {
  const RecordCodec codec(format, false);
  EXPECT_FALSE(codec.sorted_format().descending);
  std::vector<std::string> lines;
  for (const CsvRecord& record : read_csv(text, format.text.separator.front()).records) {
    lines.push_back(encoded(codec, record.raw, static_cast<std::uint64_t>(record.raw.data() - text.data())));
    EXPECT_EQ(lines.back().find('\n'), lines.back().size() - 1);
    EXPECT_EQ(codec.decode(as_bytes(lines.back())).size(), record.raw.size());
  }
  std::ranges::sort(lines, {},
                    [](const std::string& line) { return std::string_view(line).substr(0, line.size() - 1); });
  std::string sorted;
  for (std::string& line : lines) sorted += as_text(codec.restore(as_writable(line)));
  return sorted;
}

TEST(CsvCodec, IsNeededByEveryOrder) {
  EXPECT_TRUE(RecordCodec::make(csv_format({}), false).makes_keys());
  EXPECT_TRUE(RecordCodec::make(csv_format({{0}}), false).makes_keys());
}

TEST(CsvCodec, OrdersByTheValuesOfFields) {
  const std::vector<std::vector<ColumnKey>> orders = {
      {{0}}, {{0, false, true}}, {{1, true}}, {{1, true, true}, {2}}, {{2}, {1, true, true}}, {{7}, {0}}};
  std::uint64_t seed = 1;
  for (const std::vector<ColumnKey>& keys : orders) {
    for (const char* line_end : {"\n", "\r\n"}) {
      for (const char separator : {',', '\t'}) {
        const std::string text = well_formed_csv(500, seed++, line_end, separator);
        EXPECT_EQ(sorted_by_codec(csv_format(keys, separator), text), sorted_csv(keys, text, false, separator));
      }
    }
  }
}

TEST(CsvCodec, OrdersWhatIsNotWellFormedByWhatCanBeRead) {
  const std::string text = random_csv(20000, 1, "ab01,,\"\"\n");
  const std::string records = text.substr(0, text.size() - read_csv(text).rest.size());
  for (const std::vector<ColumnKey>& keys : std::vector<std::vector<ColumnKey>>{{{0}}, {{1, true}, {0}}, {{2}, {1}}}) {
    EXPECT_EQ(sorted_by_codec(csv_format(keys), text), sorted_csv(keys, records));
  }
}

TEST(CsvCodec, ReachesFieldsFarBehindQuotes) {
  std::string text;
  for (int i = 50; i-- > 0;) {
    text += "\"a,\"\"" + std::string(static_cast<std::size_t>(i) % 3, ',') + "\"";
    for (int field = 1; field < 40; ++field) text += "," + std::to_string((field * i) % 17);
    text += ",\"" + std::to_string(i) + ",x\",end\n";
  }
  EXPECT_EQ(sorted_by_codec(csv_format({{39, true}, {40, true}}), text), sorted_csv({{39, true}, {40, true}}, text));
  EXPECT_EQ(sorted_by_codec(csv_format({{31}, {32}}), text), sorted_csv({{31}, {32}}, text));
}

TEST(CsvCodec, CountsBytesOfValues) {
  Format format = csv_format({});
  format.text.keys = {parse_text_key("2.2,2.3")};
  EXPECT_EQ(sorted_by_codec(format, "1,\"xbb\"\n2,yaa\n3,\"\"\"ab\"\n"), "2,yaa\n3,\"\"\"ab\"\n1,\"xbb\"\n");
}

TEST(CsvCodec, ComparesARecordWithoutQuotesAsALine) {
  Format format = csv_format({});
  const std::string text = "\"b\",1\na,\"2\"\nb,0\n\"a\",2\na,1\n";
  EXPECT_EQ(sorted_by_codec(format, text), "a,1\na,\"2\"\n\"a\",2\nb,0\n\"b\",1\n");
  format.descending = true;
  EXPECT_EQ(sorted_by_codec(format, text), "\"b\",1\nb,0\na,\"2\"\n\"a\",2\na,1\n");
  format.text.keys = {parse_text_key("2")};
  EXPECT_EQ(sorted_by_codec(format, text), "a,\"2\"\n\"a\",2\n\"b\",1\na,1\nb,0\n");
}

TEST(CsvCodec, TellsEqualKeysWhateverTheirQuotes) {
  const RecordCodec codec(csv_format({{1}}), true);
  const std::string a = encoded(codec, "1,\"x\",9\n", 5);
  EXPECT_TRUE(codec.equal_keys(as_bytes(a), as_bytes(encoded(codec, "2,x\n", 9))));
  EXPECT_FALSE(codec.equal_keys(as_bytes(a), as_bytes(encoded(codec, "1,\"x \",9\n", 5))));
}

TEST(CsvCodec, RefusesWhatIsNoCsv) {
  EXPECT_THROW(validate(csv_format({}, '"')), Error);
  EXPECT_THROW(validate(csv_format({}, '\n')), Error);
  Format format = csv_format({});
  format.text.separator.clear();
  EXPECT_THROW(validate(format), Error);
  format = csv_format({});
  format.delimiter = '\0';
  EXPECT_THROW(validate(format), Error);
  Format lines;
  lines.text.keys.emplace_back().column = "price";
  EXPECT_THROW(validate(lines), Error);
}

}  // namespace
}  // namespace sortie
