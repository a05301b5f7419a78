#include <sortie/text_keys.hpp>

#include <gtest/gtest.h>

#include <sortie/error.hpp>

namespace sortie {
namespace {

std::string column_refusal(std::string_view text) {
  try {
    parse_column_key(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseColumnKey, TakesNameTypeAndDirection) {
  EXPECT_EQ(parse_column_key("price").column, "price");
  EXPECT_EQ(parse_column_key("price").options, OrderingOptions());
  const KeyDefinition key = parse_column_key("unit price:nb:desc");
  EXPECT_EQ(key.column, "unit price");
  EXPECT_TRUE(key.options.number);
  EXPECT_TRUE(key.options.skip_blanks_at_begin);
  EXPECT_TRUE(key.options.descending);
  EXPECT_TRUE(parse_column_key("a:desc").options.descending);
  EXPECT_TRUE(parse_column_key("a:Vr").options.descending);
}

TEST(ParseColumnKey, TakesNamesInQuotes) {
  EXPECT_EQ(parse_column_key("\"a:n\"").column, "a:n");
  EXPECT_EQ(parse_column_key("\"say \"\"2\"\"\":n").column, "say \"2\"");
  EXPECT_TRUE(parse_column_key("\"2\":n").options.number);
}

TEST(ParseColumnKey, MakesAKeyOfTheColumn) {
  const TextKey key = make_text_key(parse_column_key("price:n:desc"), {});
  EXPECT_EQ(key.column, "price");
  EXPECT_EQ(key.kind, TextKind::kNumber);
  EXPECT_TRUE(key.descending);
}

TEST(ParseColumnKey, RefusesWhatItCannotRead) {
  const std::string syntax = ": write NAME[:TYPE][:desc], for example price:n:desc";
  EXPECT_EQ(column_refusal(""), "key '' names no column" + syntax);
  EXPECT_EQ(column_refusal(":n"), "key ':n' names no column" + syntax);
  EXPECT_EQ(column_refusal("\"\":n"), "key '\"\":n' names no column: a column without a name is named by its number");
  EXPECT_EQ(column_refusal("\"a"), "key '\"a' lacks a closing quote" + syntax);
  EXPECT_EQ(column_refusal("\"a\"b:n"), "key '\"a\"b:n' lacks a colon in front of 'b:n'" + syntax);
  EXPECT_EQ(column_refusal("a:n:r"), "'r' is too much in key 'a:n:r'" + syntax);
  EXPECT_EQ(column_refusal("a:desc:n"), "':n' is too much in key 'a:desc:n'" + syntax);
  for (const char* key : {"a:", "a:x", "a:nx", "a:asc"}) {
    EXPECT_EQ(column_refusal(key).find("unknown type '"), 0U) << key;
  }
}

}  // namespace
}  // namespace sortie
