// Values in lines of JSON, and what is no JSON.
#include "record/json/json_finder.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "record/json/json_text.hpp"

namespace sortie {
namespace {

JsonFinder finder_of(const std::vector<std::string>& paths) {
  TextOrder order;
  order.json = true;
  for (const std::string& path : paths) order.keys.push_back(make_text_key(parse_json_key(path), {}));
  return JsonFinder(order);
}

/// The texts of the values; what is wrong with the line in place of the first.
std::vector<std::string> found(const std::vector<std::string>& paths, std::string_view line) {
  std::vector<JsonValue> values(paths.size());
  const JsonFault fault = finder_of(paths).find(line, values);
  if (fault.is_one()) return {description(fault, line)};
  std::vector<std::string> texts;
  for (const JsonValue& value : values) {
    texts.push_back(value.type == JsonType::kMissing ? "-" : std::string(value.text));
  }
  return texts;
}

std::string wrong_with(std::string_view line) { return found({"."}, line)[0]; }

using Texts = std::vector<std::string>;

TEST(JsonFinder, FollowsPaths) {
  const std::string line = R"( {"a": [1, {"b": "x"}], "user": {"id": -2.5e3, "a b": true}, "": null} )";
  EXPECT_EQ(found({".user.id", ".a[0]", ".a[1].b", ".user.\"a b\"", ".\"\""}, line),
            (Texts{"-2.5e3", "1", "x", "true", "-"}));
  EXPECT_EQ(found({".a", ".user.x", ".a[7]", ".a.b", ".user[0]"}, line),
            (Texts{R"([1, {"b": "x"}])", "-", "-", "-", "-"}));
  EXPECT_EQ(found({"."}, "17"), Texts{"17"});
  EXPECT_EQ(found({"[1]", ".[0]"}, "[false, 2]"), (Texts{"2", "false"}));
  EXPECT_EQ(found({".a", ".a"}, R"({"a":"x"})"), (Texts{"x", "x"}));
}

TEST(JsonFinder, ReadsNamesWithEscapes) {
  EXPECT_EQ(found({".\"\\u00e4\\\"\""}, R"({"\u00e4\"": 1})"), Texts{"1"});
  EXPECT_EQ(found({".a"}, R"({"\u0061": 1})"), Texts{"1"});
}

TEST(JsonFinder, TakesTheLastOfMembersWithOneName) {
  EXPECT_EQ(found({".a.b", ".a"}, R"({"a":{"b":1},"a":{"c":2}})"), (Texts{"-", R"({"c":2})"}));
  EXPECT_EQ(found({".a"}, R"({"a":1,"a":null})"), Texts{"-"});
}

TEST(JsonFinder, TellsTypes) {
  std::vector<JsonValue> values(7);
  const auto fault = finder_of({".a", ".b", ".c", ".d", ".e", ".f", ".g"})
                         .find(R"({"a":false,"b":true,"c":0,"d":"\n","e":[],"f":{},"g":null})", values);
  EXPECT_FALSE(fault.is_one());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i].type, static_cast<JsonType>(i));
  EXPECT_TRUE(values[3].has_escapes);
}

TEST(JsonFinder, SaysWhatIsWrongWithALine) {
  for (const char* const empty : {"", " ", "\t\r"}) {
    EXPECT_EQ(wrong_with(empty), "is no JSON: it is empty; leave out empty lines that are not at the end");
  }
  EXPECT_EQ(wrong_with("{} x"), "is no JSON: the end of the line was expected at byte 4, not 'x'");
  EXPECT_EQ(wrong_with("{"), "is no JSON: the name of a member, in quotes, was expected where it ends, behind byte 1");
  EXPECT_EQ(wrong_with("{\"a\"}"), "is no JSON: a colon was expected at byte 5, not '}'");
  EXPECT_EQ(wrong_with("{\"a\":}"), "is no JSON: a value was expected at byte 6, not '}'");
  EXPECT_EQ(wrong_with("{\"a\":1,}"), "is no JSON: the name of a member, in quotes, was expected at byte 8, not '}'");
  EXPECT_EQ(wrong_with("{\"a\":1]"), "is no JSON: a comma or a closing brace was expected at byte 7, not ']'");
  EXPECT_EQ(wrong_with("[1,]"), "is no JSON: a value was expected at byte 4, not ']'");
  EXPECT_EQ(wrong_with("[1 2]"), "is no JSON: a comma or a closing bracket was expected at byte 4, not '2]'");
  EXPECT_EQ(wrong_with("\"a"), "is no JSON: the quote that closes a string was expected where it ends, behind byte 2");
  EXPECT_EQ(wrong_with("\"a\tbcdefghijk\""),
            "is no JSON: a character that is no control character was expected at byte 3, not '\\tbcdefghijk\"'");
  EXPECT_EQ(wrong_with("\"\\x\""), "is no JSON: an escape of JSON was expected at byte 2, not '\\\\x\"'");
  EXPECT_EQ(wrong_with("\"\\u12g4\""), "is no JSON: an escape of JSON was expected at byte 2, not '\\\\u12g4\"'");
  EXPECT_EQ(wrong_with("[tru]"), "is no JSON: a value was expected at byte 2, not 'tru]'");
  EXPECT_EQ(wrong_with("-x"), "is no JSON: a value was expected at byte 1, not '-x'");
  EXPECT_EQ(wrong_with("Infinity and more text"),
            "is no JSON: a value was expected at byte 1, not 'Infinity and mor'...");
  EXPECT_EQ(wrong_with("\xff\xfe{"), "is no JSON: a value was expected at byte 1, not '\\377\\376{'");
  for (const char* const line :
       {"tru", "nul", "-", "+1", "01", "1.", ".5", "1e", "1e+", "NaN", "'a'", "[1", "{\"a\":1"}) {
    EXPECT_EQ(found({}, line).size(), 1U) << line;
  }
  for (const char* const line : {"0", "-0.5E+10", "\"\\\\\"", "[[], {}]", "\"\x7f\xff\"", "\t1\r"}) {
    EXPECT_TRUE(found({}, line).empty()) << line;
  }
}

TEST(JsonFinder, RefusesTooManyLevels) {
  EXPECT_EQ(wrong_with(std::string(1025, '[')), "has more than 1024 levels of objects and arrays: no more are read");
  EXPECT_EQ(wrong_with(std::string(1'000'000, '[')),
            "has more than 1024 levels of objects and arrays: no more are read");
  EXPECT_TRUE(found({}, std::string(1024, '[') + std::string(1024, ']')).empty());
}

std::string path_refusal(std::string_view text) {
  try {
    parse_json_key(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(JsonKey, SaysWhatIsWrongWithAPath) {
  const auto reason = [](std::string_view text) {
    const std::string message = path_refusal(text);
    return message.substr(0, message.find(": write"));
  };
  EXPECT_EQ(reason(".[99999999999999999999999]"), "key '.[99999999999999999999999]' has an index that is too large");
  EXPECT_EQ(reason(".[]"), "key '.[]' lacks an index");
  EXPECT_EQ(reason(R"(."\x")"), R"(key '."\\x"' has an escape that JSON has not)");
  EXPECT_EQ(reason(R"(."\u12g4")"), R"(key '."\\u12g4"' has an escape that JSON has not)");
}

TEST(JsonKey, TakesPathTypeAndDirection) {
  const KeyDefinition key = parse_json_key(".a.\"b:c\"[0]:n:desc");
  EXPECT_EQ(key.column, ".a.\"b:c\"[0]");
  EXPECT_TRUE(key.options.number && key.options.descending);
  EXPECT_TRUE(parse_json_key(".:time").options.time);
  for (const char* const text :
       {"", "a", ".a.", "..a", ".a[", ".a[x]", ".a[-1]", ".a[0", ".\"a", ".a:q", ".a:n:n", ".a\"b\""}) {
    EXPECT_NE(path_refusal(text), "no error") << text;
  }
}

std::string unescaped_text(std::string_view text) {
  std::string out;
  append_unescaped(text, out);
  return out;
}

TEST(JsonText, ReplacesEscapes) {
  EXPECT_EQ(unescaped_text(R"(a\"\\\/\b\f\n\r\tz)"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(unescaped_text(R"(\u0041\u00e4\u20AC\ud83d\ude00)"), "A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(unescaped_text(R"(\ud83dx\ude00)"), "\xed\xa0\xbdx\xed\xb8\x80");
  for (const char* const text : {"\\", "\\u", "\\u1", "\\ud83d\\u", "\\ud83d\\"}) unescaped_text(text);
}

std::string plain_number(std::string_view text) {
  std::string out;
  append_plain_number(text, out);
  return out;
}

TEST(JsonText, WritesNumbersWithoutExponent) {
  EXPECT_EQ(plain_number("1.25e1"), "12.5");
  EXPECT_EQ(plain_number("-1.25E+3"), "-1250");
  EXPECT_EQ(plain_number("125e-2"), "1.25");
  EXPECT_EQ(plain_number("1e-3"), "0.001");
  EXPECT_EQ(plain_number("0e0"), "0");
  EXPECT_EQ(plain_number("1e99999999999999999999").size(), 1001U);
  EXPECT_EQ(plain_number("1e-99999999999999999999").size(), 1002U);
}

}  // namespace
}  // namespace sortie
