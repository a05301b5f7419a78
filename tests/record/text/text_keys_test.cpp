#include <sortie/text_keys.hpp>

#include <limits>

#include <gtest/gtest.h>

#include <sortie/error.hpp>

namespace sortie {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

template <class Parse>
std::string message_of(Parse parse) {
  try {
    parse();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string refusal(std::string_view text) {
  return message_of([&] { parse_key_definition(text); });
}

OrderingOptions options_of(std::string_view letters) {
  OrderingOptions options;
  for (const char letter : letters) EXPECT_TRUE(options.set(letter)) << letter;
  return options;
}

TEST(ParseTextKey, CountsFieldsAndBytesFromZero) {
  const TextKey key = parse_text_key("2.3");
  EXPECT_EQ(key.begin, (TextPosition{.field = 1, .byte = 2}));
  EXPECT_FALSE(key.end);
  EXPECT_EQ(key, parse_text_key(" +2.+3"));
}

TEST(ParseTextKey, EndsBehindAFieldOrWithinOne) {
  EXPECT_EQ(parse_text_key("2,4").end, (TextPosition{.field = 4, .byte = 0}));
  EXPECT_EQ(parse_text_key("2,4.0").end, (TextPosition{.field = 4, .byte = 0}));
  EXPECT_EQ(parse_text_key("2,4.3").end, (TextPosition{.field = 3, .byte = 3}));
}

TEST(ParseTextKey, TakesOptionsInEitherPlace) {
  EXPECT_EQ(parse_text_key("1n,2"), parse_text_key("1,2n"));
  const TextKey key = parse_text_key("1f,2r");
  EXPECT_TRUE(key.fold_case && key.descending);
  EXPECT_EQ(parse_text_key("1V").kind, TextKind::kVersion);
  EXPECT_EQ(parse_text_key("1RV").kind, TextKind::kRandom);
  EXPECT_TRUE(parse_text_key("1i").ignore_nonprinting);
  EXPECT_FALSE(parse_text_key("1id").ignore_nonprinting);
  EXPECT_FALSE(parse_text_key("1di").ignore_nonprinting);
}

TEST(ParseTextKey, TakesANormalFormAndAHash) {
  const NormalForm all{.nfkc = true, .case_fold = true, .punctuation = true, .space = true};
  EXPECT_EQ(parse_text_key("1:normal").normal, all);
  EXPECT_EQ(parse_text_key("1:normal(punct,space,nfkc,case)").normal, all);
  EXPECT_EQ(parse_text_key("1:normal(case):desc").normal, (NormalForm{.case_fold = true}));
  EXPECT_TRUE(parse_text_key("1:normal(case):desc").descending);
  EXPECT_EQ(parse_text_key("1:normal:hash").kind, TextKind::kHash);
  EXPECT_EQ(parse_text_key("1:normal:R").kind, TextKind::kRandom);
  EXPECT_EQ(make_text_key(parse_json_key(".a:normal(space):hash"), {}).normal, (NormalForm{.space = true}));
  for (const char* const word : {"1:normal()", "1:normal(x)", "1:normal(case", "1:normal:time", "1f:normal",
                                 "1:normal:V", "1n:hash", "1:hash:normal", "1:hash(case)"}) {
    EXPECT_THROW(parse_text_key(word), Error) << word;
  }
}

TEST(ParseTextKey, TakesATimeBehindThePlace) {
  const TextKey key = parse_text_key("4,5:time");
  EXPECT_EQ(key.begin.field, 3U);
  EXPECT_EQ(key.end, (TextPosition{.field = 5}));
  EXPECT_EQ(key.kind, TextKind::kTime);
  EXPECT_EQ(key.time, TimeType{});
  EXPECT_EQ(parse_text_key("1:time(ms)").time.form, TimeForm::kMilliseconds);
  EXPECT_EQ(parse_text_key("1:time(%H:%M, %d (%Y)):desc").time, (TimeType{TimeForm::kPattern, "%H:%M, %d (%Y)"}));
  EXPECT_EQ(parse_text_key("1:time:desc"), parse_text_key("1r:time"));
  EXPECT_TRUE(make_text_key(parse_column_key("at:time(us):desc"), {}).descending);
  OrderingOptions descending;
  descending.descending = true;
  EXPECT_FALSE(make_text_key(parse_key_definition("1:time"), descending).descending) << "it has a type of its own";
}

TEST(ParseTextKey, TakesATypeAndADirectionBehindThePlace) {
  for (const char* const letters : {"n", "g", "h", "M", "V", "R", "f", "bn", "r"}) {
    EXPECT_EQ(parse_text_key(std::string("2,3:") + letters),
              parse_text_key(std::string("2") + letters + ",3" + letters));
  }
  EXPECT_EQ(parse_text_key("2:n:desc"), parse_text_key("2nr"));
  EXPECT_EQ(parse_text_key("2.3:desc"), parse_text_key("2.3r"));
  for (const char* const key : {"2:", "2:x", "2:n:n", "2:desc:n", "2:asc"}) EXPECT_NE(refusal(key), "no error") << key;
  EXPECT_EQ(message_of([] { parse_text_key("2n:g"); }), "options '-gn' are incompatible");
}

TEST(ParseTextKey, RefusesTimesThatItCannotRead) {
  const std::string syntax = ": write F[.C][,F[.C]][:TYPE][:desc], for example 4,5:time or 2:n:desc";
  EXPECT_EQ(refusal("1:time:n"), "'n' is too much in key '1:time:n'" + syntax);
  EXPECT_EQ(refusal("1:time(s"), "key '1:time(s' lacks a closing parenthesis" + syntax);
  EXPECT_EQ(refusal("1:time("), "key '1:time(' lacks a closing parenthesis" + syntax);
  EXPECT_EQ(refusal("1:time(%Y)desc"), "key '1:time(%Y)desc' lacks a colon in front of 'desc'" + syntax);
  for (const char* const key : {"1:timex", "1:time()", "1:time(h)", "1:time(%Q)", "1:time(s):r"}) {
    EXPECT_NE(refusal(key), "no error") << key;
  }
  EXPECT_EQ(message_of([] { parse_text_key("1n:time"); }), "options '-n' do not go with a key of type time");
}

TEST(LastDayOfYear, IsCountedFrom1970) {
  EXPECT_EQ(last_day_of_year(1969), -1);
  EXPECT_EQ(last_day_of_year(2000), 11322);
}

TEST(ParseTextKey, SkipsBlanksWhereItIsSaid) {
  const TextKey begin = parse_text_key("2b,3.4");
  EXPECT_TRUE(begin.begin.skip_blanks);
  EXPECT_FALSE(begin.end->skip_blanks);
  const TextKey end = parse_text_key("2,3.4b");
  EXPECT_FALSE(end.begin.skip_blanks);
  EXPECT_TRUE(end.end->skip_blanks);
  EXPECT_EQ(parse_text_key("2,3.4:b"), parse_text_key("2b,3.4b"));
  EXPECT_EQ(parse_key_definition("2:b"), parse_key_definition("2b"));
}

TEST(ParseTextKey, TakesNumbersThatAreTooLargeAsTheLargest) {
  EXPECT_EQ(parse_text_key("1.99999999999999999999").begin.byte, kMost - 1);
  EXPECT_EQ(parse_text_key("1,99999999999999999999").end->field, kMost);
  EXPECT_EQ(parse_text_key("1,18446744073709551615").end->field, kMost);
}

TEST(ParseTextKey, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("0"), "field number is zero: invalid field specification '0'");
  EXPECT_EQ(refusal("1.0"), "character offset is zero: invalid field specification '1.0'");
  EXPECT_EQ(refusal("1,0"), "field number is zero: invalid field specification '1,0'");
  EXPECT_EQ(refusal("a"), "invalid number at field start: invalid count at start of 'a'");
  EXPECT_EQ(refusal(""), "invalid number at field start: invalid count at start of ''");
  EXPECT_EQ(refusal("-1"), "invalid number at field start: invalid count at start of '-1'");
  EXPECT_EQ(refusal("1."), "invalid number after '.': invalid count at start of ''");
  EXPECT_EQ(refusal("1,"), "invalid number after ',': invalid count at start of ''");
  EXPECT_EQ(refusal("1.2,3.x"), "invalid number after '.': invalid count at start of 'x'");
  EXPECT_EQ(refusal("1x"), "stray character in field spec: invalid field specification '1x'");
  EXPECT_EQ(refusal("1,1,1"), "stray character in field spec: invalid field specification '1,1,1'");
}

TEST(ParseTextKey, RefusesKindsThatContradictEachOther) {
  EXPECT_EQ(message_of([] { parse_text_key("1dn"); }), "options '-dn' are incompatible");
  EXPECT_EQ(message_of([] { parse_text_key("1bdfghiMnRrV"); }), "options '-dfghMnRV' are incompatible");
  EXPECT_EQ(message_of([] { parse_text_key("1RiVn"); }), "options '-inRV' are incompatible");
  EXPECT_NO_THROW(parse_text_key("1fn"));
  EXPECT_NO_THROW(parse_text_key("1dRV"));
}

TEST(ParseObsoleteKey, CountsFromZeroAndEndsInFrontOfAField) {
  const auto key = [](std::string_view begin, std::string_view end) {
    return make_text_key(parse_obsolete_key(begin, end).value(), {});
  };
  EXPECT_EQ(key("+1", ""), parse_text_key("2"));
  EXPECT_EQ(key("+1", "-2"), parse_text_key("2,2"));
  EXPECT_EQ(key("+1.2n", "-2.3b"), parse_text_key("2.3n,3.3b"));
  EXPECT_EQ(key("+1.2", "-2.0"), parse_text_key("2.3,2"));
  EXPECT_EQ(key("+0", "-0"), parse_text_key("1,1"));
}

TEST(ParseObsoleteKey, LeavesWhatMayBeAFile) {
  for (const char* word : {"+", "+x", "+-1", "+1x", "+1.", "1", ""}) EXPECT_FALSE(parse_obsolete_key(word, "")) << word;
}

TEST(ParseObsoleteKey, RefusesAnEndThatIsNone) {
  EXPECT_EQ(message_of([] { parse_obsolete_key("+1", "-2x"); }),
            "stray character in field spec: invalid field specification '-2x'");
  EXPECT_EQ(message_of([] { parse_obsolete_key("+1", "-2."); }),
            "invalid number after '.': invalid count at start of ''");
}

TEST(MakeTextOrder, GivesGlobalOptionsToKeysWithoutTheirOwn) {
  const std::vector<KeyDefinition> keys = {parse_key_definition("1,1"), parse_key_definition("2r"),
                                           parse_key_definition("3,3b")};
  const TextOrder order = make_text_order(keys, options_of("bnr"));
  EXPECT_EQ(order.keys[0], parse_text_key("1bnr,1b"));
  EXPECT_EQ(order.keys[1], parse_text_key("2r"));
  EXPECT_EQ(order.keys[2], parse_text_key("3,3b"));
  EXPECT_TRUE(order.last_resort && order.last_resort_descending);
}

TEST(MakeTextOrder, TakesTheWholeLineWithoutKeys) {
  const TextOrder order = make_text_order({}, options_of("nr"));
  ASSERT_EQ(order.keys.size(), 1u);
  EXPECT_EQ(order.keys[0], parse_text_key("1nr"));
  EXPECT_EQ(make_text_order({}, options_of("b")).keys.size(), 1u);
}

TEST(MakeTextOrder, NeedsNoKeyForTheOrderOfBytes) {
  EXPECT_TRUE(make_text_order({}, {}).keys.empty());
  const TextOrder reverse = make_text_order({}, options_of("r"));
  EXPECT_TRUE(reverse.keys.empty());
  EXPECT_TRUE(reverse.last_resort_descending);
}

TEST(MakeTextOrder, RefusesGlobalOptionsOnlyWhereTheyAreUsed) {
  const std::vector<KeyDefinition> own = {parse_key_definition("1r")};
  const std::vector<KeyDefinition> inheriting = {parse_key_definition("1")};
  EXPECT_NO_THROW(make_text_order(own, options_of("gn")));
  EXPECT_THROW(make_text_order(inheriting, options_of("gn")), Error);
  EXPECT_THROW(make_text_order({}, options_of("gn")), Error);
}

TEST(OrderingOptions, ListsLettersAndLeavesOthersOut) {
  EXPECT_EQ(options_of("Vrnb").letters(), "bnrV");
  EXPECT_EQ(options_of("nrb").without(options_of("rb")).letters(), "n");
  KeyDefinition key = parse_key_definition("1,1.2b");
  EXPECT_EQ(options_of("b").without(key.options).letters(), "b");
  EXPECT_FALSE(OrderingOptions().set('x'));
}

}  // namespace
}  // namespace sortie
