// Lines with their keys in front: when lines need keys, and how keys and lines are separated again.
#include "record/text/record_codec.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <string>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;

Format lines_by(std::vector<std::string> keys) {
  Format format;
  for (const std::string& key : keys) format.text.keys.push_back(parse_text_key(key));
  return format;
}

bool makes_keys(const Format& format) { return RecordCodec::make(format, false).makes_keys(); }

std::string encoded(const RecordCodec& codec, const std::string& line, std::uint64_t position = 0) {
  EncodedLines out;
  codec.encode(as_bytes(line), position, out);
  EXPECT_EQ(as_text(codec.decode(out.bytes())), line);
  return std::string(as_text(out.bytes()));
}

TEST(MakesKeys, NotForWholeLinesByTheirBytes) {
  EXPECT_FALSE(makes_keys({}));
  EXPECT_FALSE(makes_keys(lines_by({"1"})));
  EXPECT_FALSE(makes_keys(lines_by({"1r", "2n"})));
  EXPECT_FALSE(makes_keys(parse_format("gensort")));
  for (const char* const key : {"1,1", "1b", "1.2", "2", "1n", "1f", "1d", "1i", "1M", "1V"}) {
    EXPECT_TRUE(makes_keys(lines_by({key}))) << key;
  }
}

TEST(MakesKeys, OnlyIfTheLocaleCollates) {
  Format format;
  format.text.locale = true;
  EXPECT_FALSE(makes_keys(format)) << "in C";
  if (std::setlocale(LC_ALL, "en_US.UTF-8") == nullptr) GTEST_SKIP() << "no such locale";
  EXPECT_TRUE(makes_keys(format));
  std::setlocale(LC_ALL, "C");
}

TEST(EncodedLine, HoldsAKeyThatIsGivenTwiceOnce) {
  const std::string line = "b long text\ta\n";
  const std::string once = encoded(RecordCodec(lines_by({"2", "1f"}), false), line);
  EXPECT_EQ(encoded(RecordCodec(lines_by({"2", "1f", "2", "1f", "2r"}), false), line), once);
  EXPECT_NE(encoded(RecordCodec(lines_by({"2", "1f", "1"}), false), line), once);
}

TEST(PlainFormat, HasTheDirectionOfTheKey) {
  EXPECT_FALSE(plain_format(lines_by({"1"})).descending);
  EXPECT_TRUE(plain_format(lines_by({"1r"})).descending);
  Format reversed = lines_by({"1r"});
  reversed.descending = true;
  EXPECT_FALSE(plain_format(reversed).descending);
  EXPECT_EQ(plain_format(lines_by({"1"})), Format{});
}

TEST(PlainFormat, HasTheDirectionOfTheLastResortWithoutKeys) {
  Format format;
  format.text.last_resort_descending = true;
  EXPECT_TRUE(plain_format(format).descending);
  format.descending = true;
  EXPECT_TRUE(plain_format(format).descending);
}

TEST(RecordCodec, PutsKeysInFrontOfTheLine) {
  Format format = lines_by({"2,2", "1,1"});
  format.text.separator = ':';
  const RecordCodec codec(format, false);
  EXPECT_EQ(encoded(codec, "ab:cd:ef\n"), std::string("cd\0ab\0ab:cd:ef\n", 15));
  EXPECT_EQ(encoded(codec, "\n"), std::string("\0\0\n", 3));
}

TEST(RecordCodec, AppendsLineAfterLine) {
  const RecordCodec codec(lines_by({"2,2"}), false);
  EncodedLines out;
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    const std::string line = "a " + std::to_string(i) + "\n";
    codec.encode(as_bytes(line), 0, out);
    expected += " " + std::to_string(i) + '\0' + line;
  }
  EXPECT_EQ(as_text(out.bytes()), expected);
  out.clear();
  EXPECT_EQ(out.size(), 0U);
}

TEST(RecordCodec, SortsDescendingIfTheLastResortIs) {
  Format format = lines_by({"1,1", "2,2r"});
  EXPECT_FALSE(RecordCodec(format, false).sorted_format().descending);
  format.text.last_resort_descending = true;
  const RecordCodec codec(format, false);
  Format descending;
  descending.descending = true;
  EXPECT_EQ(codec.sorted_format(), descending);
  // The first key is complemented, the second is not.
  EXPECT_EQ(encoded(codec, "A B\n"), std::string("\xbe\xff B\0A B\n", 9));
}

TEST(RecordCodec, ReversesTheWholeOrderWithTheFormat) {
  Format format = lines_by({"1,1", "2,2r"});
  format.text.last_resort_descending = true;
  format.descending = true;
  Format same = lines_by({"1,1r", "2,2"});
  EXPECT_EQ(encoded(RecordCodec(format, false), "A B\n"), encoded(RecordCodec(same, false), "A B\n"));
}

TEST(RecordCodec, KeepsThePlaceOfLinesWithoutLastResort) {
  Format format = lines_by({"1,1n"});
  format.text.last_resort_descending = true;
  for (const bool unique : {false, true}) {
    format.text.last_resort = unique;
    const RecordCodec codec(format, unique);
    EXPECT_FALSE(codec.sorted_format().descending);
    std::string before;
    for (const std::uint64_t position :
         {0ULL, 1ULL, 127ULL, 128ULL, 10ULL << 7, 1ULL << 28, 123456789012ULL, 1ULL << 49, (1ULL << 56) - 1}) {
      const std::string line = encoded(codec, "1.0 x\n", position);
      EXPECT_LT(before, line) << position;
      EXPECT_EQ(line.find('\n'), line.size() - 1);
      EXPECT_EQ(line.size(), encoded(codec, "1 yzx\n").size());
      before = line;
    }
  }
}

TEST(RecordCodec, ComparesKeysAlone) {
  for (const bool unique : {false, true}) {
    const RecordCodec codec(lines_by({"1,1n", "2,2f"}), unique);
    const auto equal = [&](const std::string& a, const std::string& b) {
      return codec.equal_keys(as_bytes(encoded(codec, a, 1)), as_bytes(encoded(codec, b, 2)));
    };
    EXPECT_TRUE(equal("1 ab c\n", "01.0 AB d\n"));
    EXPECT_TRUE(equal("\n", "0\n"));
    EXPECT_FALSE(equal("1 ab\n", "1 abc\n"));
    EXPECT_FALSE(equal("1 abc\n", "1 ab\n"));
    EXPECT_FALSE(equal("1 ab\n", "2 ab\n"));
  }
}

TEST(RecordCodec, KeepsDelimitersOutOfKeys) {
  Format format = lines_by({"1,1r", "2,2"});
  format.delimiter = '\0';
  const RecordCodec codec(format, false);
  const std::string line("\xff\x01\n \n\xfe\x02\0", 8);
  const std::string with_keys = encoded(codec, line);
  EXPECT_EQ(with_keys.find('\0'), with_keys.size() - 1);
}

TEST(RecordCodec, RefusesOptionsThatContradict) {
  Format format = lines_by({"1n"});
  format.text.keys[0].dictionary = true;
  EXPECT_THROW(RecordCodec(format, false), Error);
}

}  // namespace
}  // namespace sortie
