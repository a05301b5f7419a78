#include "record/json/json_elements.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace sortie {
namespace {

/// The lines of a document that comes in pieces of so many bytes, or what is wrong with it.
std::string lines_of(std::string_view document, std::size_t piece_bytes) {
  JsonElements elements;
  std::string lines;
  for (; !document.empty(); document.remove_prefix(std::min(piece_bytes, document.size()))) {
    if (!elements.take(document.substr(0, piece_bytes), lines)) {
      return "line " + std::to_string(elements.line()) + " " + elements.fault();
    }
  }
  return elements.finish() ? lines : "line " + std::to_string(elements.line()) + " " + elements.fault();
}

std::string lines_of(std::string_view document) {
  const std::string whole = lines_of(document, document.size());
  for (const std::size_t piece_bytes : {1u, 2u, 3u, 7u}) EXPECT_EQ(lines_of(document, piece_bytes), whole) << document;
  return whole;
}

TEST(JsonElements, AreLines) {
  EXPECT_EQ(lines_of("[]"), "");
  EXPECT_EQ(lines_of(" [ ] \n"), "");
  EXPECT_EQ(lines_of("[1]"), "1\n");
  EXPECT_EQ(lines_of(R"([{"a": 1} , [2, [3]],"x,]\"\\", null ])"), "{\"a\": 1}\n[2, [3]]\n\"x,]\\\"\\\\\"\nnull\n");
}

TEST(JsonElements, AreOnOneLineEach) {
  EXPECT_EQ(
      lines_of("[\r\n  {\r\n    \"a\": 1,\r\n    \"b\": [\r\n      1,\r\n      {}\r\n    ]\r\n  },\r\n  2\r\n]\r\n"),
      "{\"a\": 1, \"b\": [1, {}]}\n2\n");
  EXPECT_EQ(lines_of("[{\"a\":\n1,\"b\" \n : 2}]"), "{\"a\": 1,\"b\" : 2}\n");
  EXPECT_EQ(lines_of("[1\n2]"), "1 2\n");  // which is no JSON, as before
  EXPECT_EQ(lines_of("[{\"a\":" + std::string(1000, ' ') + "1}]"), "{\"a\": 1}\n");
}

TEST(JsonElements, SayWhereADocumentIsDamaged) {
  EXPECT_EQ(lines_of("[1,\n2"), "line 2 ends, and the array of the document does not: is it cut short?");
  EXPECT_EQ(lines_of("[{\"a\":[1]]"), "line 1 ends, and the array of the document does not: is it cut short?");
  EXPECT_EQ(lines_of("[1]\n\n,"), "line 3 has more behind the end of the array: one array is the whole document");
  EXPECT_EQ(lines_of("[1,,2]"), "line 1 has ',' where an element of the array was expected");
  EXPECT_EQ(lines_of("[1,\n]"), "line 2 has ']' where an element of the array was expected");
  EXPECT_EQ(lines_of("[\"a\nb\"]"), "line 1 ends within a string: its closing quote is missing");
  EXPECT_EQ(lines_of("{}"), "line 1 is no JSON: an array was expected");
}

TEST(JsonShape, IsToldByTheFirstLine) {
  const auto shape = [](std::string_view text, bool is_all = true) { return json_shape(text, is_all, false); };
  EXPECT_EQ(shape("{\"a\":[1]}\n"), JsonShape::kLines);
  EXPECT_EQ(shape(""), JsonShape::kLines);
  EXPECT_EQ(shape("", false), JsonShape::kUnknown);
  EXPECT_EQ(shape("\xEF\xBB\xBF \n[1,\n2]"), JsonShape::kArray);
  EXPECT_EQ(shape("[1,\n", false), JsonShape::kArray);
  EXPECT_EQ(shape("[1,2]\n\n"), JsonShape::kArray);
  EXPECT_EQ(shape("[1,2]\n\n", false), JsonShape::kUnknown);
  EXPECT_EQ(shape("[1,\"]\\\"\n\"]\n[3]\n"), JsonShape::kArray);
  EXPECT_EQ(shape("[1,\"]\\\"\"]\n[3]\n", false), JsonShape::kLines);
  EXPECT_EQ(shape("[1,{\"a\":[", false), JsonShape::kUnknown);
  EXPECT_EQ(shape("[1,{\"a\":["), JsonShape::kArray);
}

TEST(JsonShape, DependsOnKeysWhereOneLineIsAll) {
  EXPECT_EQ(json_shape("[1,2]", true, true), JsonShape::kLines);
  EXPECT_EQ(json_shape("[ [1],[2]]", true, true), JsonShape::kArray);
  EXPECT_EQ(json_shape("[1,\n2]", true, true), JsonShape::kArray);
}

}  // namespace
}  // namespace sortie
