#include "pipeline/parts/part_names.hpp"

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>

namespace sortie {
namespace {

using Placeholder = PartNames::Placeholder;
using testing::HasSubstr;

std::string refusal(const std::string& pattern, Placeholder placeholder = Placeholder::kNumber) {
  try {
    PartNames(pattern, placeholder);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string numbered(const std::string& pattern, std::uint64_t number) {
  return PartNames(pattern, Placeholder::kNumber).for_number(number);
}

std::string named(const std::string& value, const std::string& pattern = "{}") {
  return PartNames(pattern, Placeholder::kValue).for_value({value});
}

TEST(PartNames, AreNumberedAsPythonFormatsNumbers) {
  EXPECT_EQ(numbered("out/part-{:04d}.zst", 7), "out/part-0007.zst");
  EXPECT_EQ(numbered("/{}", 0), "/0");
  EXPECT_EQ(numbered("a{:d}b", 12), "a12b");
  EXPECT_EQ(numbered("a{:}b", 12), "a12b");
  EXPECT_EQ(numbered("{:3d}", 12), " 12");
  EXPECT_EQ(numbered("{:03}", 12), "012");
  EXPECT_EQ(numbered("{:02d}", 123), "123");
  EXPECT_EQ(numbered("{x}/part}{}", 1), "{x}/part}1");
}

TEST(PartNames, NeedOnePlaceOfAKnownForm) {
  EXPECT_THAT(refusal("part"), HasSubstr("has no place: write one place for the number, as in 'part-{:04d}'"));
  EXPECT_THAT(refusal("{}/part"), HasSubstr("has its place in the folder"));
  EXPECT_THAT(refusal("{}{}"), HasSubstr("has two places"));
  EXPECT_THAT(refusal("{"), HasSubstr("has a brace without the other"));
  for (const char* const form : {"{0}", "{:x}", "{:<4}", "{d}", "{:4.1}", "{{}}", "{:-4d}", "{:dd}"}) {
    EXPECT_THAT(refusal(form), HasSubstr("has a place of another form")) << form;
  }
  EXPECT_THAT(refusal("{:099d}"), HasSubstr("more digits than any number has"));
  EXPECT_THAT(refusal("{:99999999999999999999d}"), HasSubstr("more digits than any number has"));
  EXPECT_THAT(refusal("{:04d}", Placeholder::kValue), HasSubstr("for the value, as in 'part-{}'"));
  EXPECT_THAT(refusal(std::string(255, 'a') + "{}"), HasSubstr("longer than that of a file may be"));
}

TEST(PartNames, AreMadeOfValues) {
  EXPECT_EQ(named("x y", "out/{}.csv"), "out/x y.csv");
  EXPECT_EQ(named("a/b%"), "a%2Fb%25");
  EXPECT_EQ(named("."), "%2E");
  EXPECT_EQ(named("..x."), "%2E.x.");
  EXPECT_EQ(named(""), "%");
  EXPECT_EQ(named(std::string("\0\n\x7F\x80", 4)), "%00%0A%7F\x80");
  EXPECT_EQ(PartNames("{}", Placeholder::kValue).for_value({"", JsonType::kMissing}), "%null");
  EXPECT_EQ(PartNames("{}", Placeholder::kValue).for_quoted_value({"1"}), "%221%22");
  EXPECT_EQ(PartNames("{}", Placeholder::kValue).for_other_value({"[1]"}), "%=[1]");
}

TEST(PartNames, AreMadeOfValuesAndNumbers) {
  const PartNames names("out/{}-{:03d}.x", Placeholder::kBoth);
  EXPECT_EQ(names.for_value({"a/b"}, 7), "out/a%2Fb-007.x");
  EXPECT_EQ(names.for_quoted_value({"1"}, 0), "out/%221%22-000.x");
  EXPECT_EQ(names.for_other_value({"1"}, 1000), "out/%=1-1000.x");
  EXPECT_TRUE(names.may_be_part("anything-004.x"));
  EXPECT_FALSE(names.may_be_part("anything-004.y"));
  EXPECT_EQ(PartNames("{:d}-{}", Placeholder::kBoth).for_value({"v"}, 12), "12-v");
  EXPECT_LE(names.for_value({std::string(999, 'v')}, ~std::uint64_t{0}).size(), 4 + 255u);
}

TEST(PartNames, TellValuesAndNumbersApart) {
  for (const char* const pattern :
       {"{}{}", "{}-{}", "{:d}-{:d}", "{}{:d}", "{}", "{:d}", "part", "{}-{:d}-{}", "{}-{x}"}) {
    EXPECT_THAT(refusal(pattern, Placeholder::kBoth), HasSubstr("as in '{}-{:04d}'")) << pattern;
  }
}

TEST(PartNames, AreCutBetweenCharacters) {
  for (const std::string character : {"\xC3\xA9", "\xE4\xB8\xAD", "\xF0\x9F\x98\x80", "/"}) {
    const std::string shown = character == "/" ? "%2F" : character;
    for (const std::string begin : {"", "x", "xx", "xxx"}) {
      std::string value = begin;
      for (int i = 0; i < 200; ++i) value += character;
      const std::string name = named(value);
      EXPECT_LE(name.size(), 255u);
      EXPECT_GT(name.size(), 255u - shown.size());
      const std::size_t mark = name.rfind("%~");
      EXPECT_EQ((mark - begin.size()) % shown.size(), 0u) << name;
    }
  }
  const std::string bytes(300, '\x80');  // which are no characters
  EXPECT_EQ(named(bytes).size(), 255u);
}

TEST(PartNames, OfDifferentValuesDiffer) {
  std::vector<std::string> values = {"", "%", "%25", "%2525", ".", "%2E", "%null", "null", "\"1\"", "%221%22", "1"};
  for (const char end : {'a', 'b', '/'}) {
    for (const std::size_t size : {200u, 254u, 255u, 256u, 1000u}) values.push_back(std::string(size, 'x') + end);
    for (const std::size_t size : {80u, 86u, 200u}) values.push_back(std::string(size, '/') + end);
  }
  std::set<std::string> names = {PartNames("{}", Placeholder::kValue).for_value({"", JsonType::kMissing})};
  for (const std::string& value : values) {
    const std::string name = named(value, "dir/p-{}.x");
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_LE(name.size(), 4 + 255u);
    EXPECT_EQ(name.find('/', 4), std::string::npos);
  }
}

TEST(PartNames, KnowWhichNamesPartsMayHave) {
  const PartNames numbers("dir/p-{:03d}.x", Placeholder::kNumber);
  for (const char* const name : {"p-000.x", "p-1234.x", "p-1.x", "p- 1.x"}) EXPECT_TRUE(numbers.may_be_part(name));
  for (const char* const name : {"p-.x", "p-a.x", "p-000.y", "p-000", "q"}) EXPECT_FALSE(numbers.may_be_part(name));
  EXPECT_TRUE(PartNames("p-{}.x", Placeholder::kValue).may_be_part("p-anything.x"));
  EXPECT_FALSE(PartNames("p-{}.x", Placeholder::kValue).may_be_part("p-.x"));
}

}  // namespace
}  // namespace sortie
