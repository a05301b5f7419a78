#include <sortie/format.hpp>

#include <gtest/gtest.h>

#include <sortie/error.hpp>

namespace sortie {
namespace {

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string format_message(std::string_view text) {
  return message_of([&] { parse_format(text); });
}

std::string field_message(std::string_view text) {
  return message_of([&] { parse_field(text); });
}

Format fixed(std::uint64_t record_bytes, std::vector<Field> fields) {
  Format format;
  format.kind = RecordKind::kFixed;
  format.record_bytes = record_bytes;
  format.fields = std::move(fields);
  return format;
}

std::string validate_message(const Format& format) {
  return message_of([&] { validate(format); });
}

TEST(ParseFormat, LinesAreTheDefault) { EXPECT_EQ(parse_format("lines"), Format{}); }

TEST(ParseFormat, FixedHasTheGivenLengthAndNoFields) { EXPECT_EQ(parse_format("fixed:17"), fixed(17, {})); }

TEST(ParseFormat, GensortIsAHundredBytesOrderedByTheFirstTen) {
  EXPECT_EQ(parse_format("gensort"), fixed(100, {parse_field("bytes@0:10")}));
}

TEST(ParseFormat, ArraysHaveOneFieldThatFillsTheRecord) {
  const std::vector<std::pair<std::string, Field>> expected = {
      {"u32", {FieldKind::kUnsigned, ByteOrder::kLittle, 0, 4, false}},
      {"i32", {FieldKind::kSigned, ByteOrder::kLittle, 0, 4, false}},
      {"f32", {FieldKind::kFloat, ByteOrder::kLittle, 0, 4, false}},
      {"u64", {FieldKind::kUnsigned, ByteOrder::kLittle, 0, 8, false}},
      {"i64", {FieldKind::kSigned, ByteOrder::kLittle, 0, 8, false}},
      {"f64", {FieldKind::kFloat, ByteOrder::kLittle, 0, 8, false}},
  };
  for (const auto& [word, field] : expected) {
    const Format format = parse_format(word);
    EXPECT_EQ(format.kind, RecordKind::kArray) << word;
    EXPECT_EQ(format.record_bytes, field.length) << word;
    EXPECT_EQ(format.fields, std::vector<Field>{field}) << word;
  }
}

TEST(ParseFormat, ReadsBackWhatItWrites) {
  for (const char* word :
       {"lines", "fixed:1", "fixed:4294967295", "prefixed", "gensort", "u32", "i32", "u64", "i64", "f32", "f64"}) {
    EXPECT_EQ(to_string(parse_format(word)), word);
  }
}

TEST(ParseFormat, NamesAnUnknownWordAndListsTheKnownOnes) {
  const std::string known = ": known are lines, fixed:BYTES, prefixed, gensort, u32, i32, u64, i64, f32 and f64";
  for (const char* word : {"", "line", "u16", "u8", "U32", "u32be", "fixed", "f64 "}) {
    EXPECT_EQ(format_message(word), "unknown format '" + std::string(word) + "'" + known);
  }
}

TEST(ParseFormat, RefusesLengthsThatAreNoNumber) {
  for (const char* word : {"fixed:", "fixed:x", "fixed:-1", "fixed:10b", "fixed: 10", "fixed:18446744073709551616"}) {
    EXPECT_EQ(format_message(word), "invalid record length in format '" + std::string(word) +
                                        "': give the number of bytes, for example fixed:100");
  }
}

TEST(ParseFormat, RefusesLengthsThatAreTooSmallOrTooLarge) {
  EXPECT_EQ(format_message("fixed:0"), "record length of 0 bytes: give 1 to 4294967295");
  EXPECT_EQ(format_message("fixed:4294967296"), "record length of 4294967296 bytes: give 1 to 4294967295");
}

TEST(ParseField, KnowsEveryType) {
  const std::vector<std::pair<std::string, std::pair<FieldKind, std::uint64_t>>> types = {
      {"u8", {FieldKind::kUnsigned, 1}},  {"u16", {FieldKind::kUnsigned, 2}}, {"u32", {FieldKind::kUnsigned, 4}},
      {"u64", {FieldKind::kUnsigned, 8}}, {"i8", {FieldKind::kSigned, 1}},    {"i16", {FieldKind::kSigned, 2}},
      {"i32", {FieldKind::kSigned, 4}},   {"i64", {FieldKind::kSigned, 8}},   {"f32", {FieldKind::kFloat, 4}},
      {"f64", {FieldKind::kFloat, 8}},    {"f16", {FieldKind::kFloat, 2}},
  };
  for (const auto& [word, type] : types) {
    const auto& [kind, length] = type;
    EXPECT_EQ(parse_field(word + "@3"), (Field{kind, ByteOrder::kLittle, 3, length, false})) << word;
    EXPECT_EQ(parse_field(word + "le@3"), (Field{kind, ByteOrder::kLittle, 3, length, false})) << word;
    EXPECT_EQ(parse_field(word + "be@0:desc"), (Field{kind, ByteOrder::kBig, 0, length, true})) << word;
    EXPECT_EQ(parse_field(word + "@3:" + std::to_string(length)), (Field{kind, ByteOrder::kLittle, 3, length, false}));
  }
}

TEST(ParseField, BytesHaveALength) {
  EXPECT_EQ(parse_field("bytes@2:7"), (Field{FieldKind::kBytes, ByteOrder::kLittle, 2, 7, false}));
  EXPECT_EQ(parse_field("bytes@2:7:desc"), (Field{FieldKind::kBytes, ByteOrder::kLittle, 2, 7, true}));
}

TEST(ParseField, ReadsBackWhatItWrites) {
  for (const char* text : {"bytes@0:10", "bytes@5:1:desc", "u8@9", "u16be@2", "u32be@4:desc", "i64@8", "f32@0:desc",
                           "f64be@16", "u8be@1"}) {
    EXPECT_EQ(to_string(parse_field(text)), text);
  }
}

TEST(ParseField, NamesAnUnknownTypeAndListsTheKnownOnes) {
  for (const char* type : {"", "u33", "byte", "bytesbe", "f8", "u32xe", "le", "U8"}) {
    EXPECT_EQ(
        field_message(std::string(type) + "@0"),
        "unknown type '" + std::string(type) + "' in field '" + type +
            "@0': known are bytes, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32 and f64, the numbers with le or be");
  }
}

TEST(ParseField, RefusesWhatIsNoOffset) {
  const std::string syntax = ": write TYPE@OFFSET[:LENGTH][:desc], for example u32be@4:desc";
  EXPECT_EQ(field_message("u32"), "invalid offset '' in field 'u32'" + syntax);
  EXPECT_EQ(field_message("u32@"), "invalid offset '' in field 'u32@'" + syntax);
  EXPECT_EQ(field_message("u32@-1"), "invalid offset '-1' in field 'u32@-1'" + syntax);
  EXPECT_EQ(field_message("u32@4desc"), "invalid offset '4desc' in field 'u32@4desc'" + syntax);
}

TEST(ParseField, RefusesWrongAndMissingLengths) {
  EXPECT_EQ(field_message("bytes@0"), "field 'bytes@0' needs a length: write bytes@OFFSET:LENGTH");
  EXPECT_EQ(field_message("bytes@0:desc"), "field 'bytes@0:desc' needs a length: write bytes@OFFSET:LENGTH");
  EXPECT_EQ(field_message("bytes@0:0"), "invalid length '0' in field 'bytes@0:0': give a number of bytes, or desc");
  EXPECT_EQ(field_message("u8@0:asc"), "invalid length 'asc' in field 'u8@0:asc': give a number of bytes, or desc");
  EXPECT_EQ(field_message("u32@0:8"), "length '8' in field 'u32@0:8' does not suit its type, which has 4 bytes");
}

TEST(ParseField, RefusesWordsTooMany) {
  const std::string syntax = ": write TYPE@OFFSET[:LENGTH][:desc], for example u32be@4:desc";
  EXPECT_EQ(field_message("bytes@0:4:8"), "'8' is too much in field 'bytes@0:4:8'" + syntax);
  EXPECT_EQ(field_message("u8@0:desc:desc"), "'desc' is too much in field 'u8@0:desc:desc'" + syntax);
  EXPECT_EQ(field_message("bytes@0:4:"), "'' is too much in field 'bytes@0:4:'" + syntax);
}

TEST(Validate, TakesFieldsThatTouchTheEndOfTheRecord) {
  EXPECT_EQ(validate_message(fixed(8, {parse_field("u32@4"), parse_field("bytes@7:1")})), "no error");
}

TEST(Validate, NamesTheFieldThatLeavesTheRecord) {
  EXPECT_EQ(validate_message(fixed(8, {parse_field("u32@0"), parse_field("u32be@5:desc")})),
            "field 'u32be@5:desc' leaves the record: it needs 4 bytes from byte 5 of a record of 8 bytes");
  EXPECT_EQ(validate_message(fixed(8, {parse_field("bytes@0:9")})),
            "field 'bytes@0:9' leaves the record: it needs 9 bytes from byte 0 of a record of 8 bytes");
  EXPECT_NE(validate_message(fixed(8, {parse_field("bytes@18446744073709551615:4")})), "no error");
}

TEST(Validate, RefusesLengthsThatDoNotSuitTheType) {
  EXPECT_EQ(validate_message(fixed(8, {Field{FieldKind::kUnsigned, ByteOrder::kLittle, 1, 3, false}})),
            "field at offset 1: a length of 3 bytes does not suit its type");
  EXPECT_NE(validate_message(fixed(8, {Field{FieldKind::kFloat, ByteOrder::kLittle, 0, 1, false}})), "no error");
  EXPECT_NE(validate_message(fixed(8, {Field{FieldKind::kBytes, ByteOrder::kLittle, 0, 0, false}})), "no error");
}

TEST(Validate, LimitsTheNumberOfFieldsAndTheLengthOfTheKey) {
  const Field field = parse_field("u8@0");
  EXPECT_EQ(validate_message(fixed(8, std::vector<Field>(kMaxFields, field))), "no error");
  EXPECT_EQ(validate_message(fixed(8, std::vector<Field>(kMaxFields + 1, field))),
            "33 fields: at most 32 make up a key");
  EXPECT_EQ(validate_message(fixed(4294967295, std::vector<Field>(2, parse_field("bytes@0:4294967295")))),
            "the fields make a key of 8589934590 bytes: at most 4294967295 are possible");
}

TEST(Validate, RefusesFieldsWhereTheFormatHasNone) {
  Format lines;
  lines.fields.push_back(parse_field("u8@0"));
  EXPECT_EQ(validate_message(lines),
            "lines have no fields at fixed offsets: take keys in text, or records of format fixed:BYTES");
  Format array = parse_format("u32");
  array.fields.push_back(parse_field("u8@0"));
  EXPECT_EQ(validate_message(array),
            "an array of numbers has no fields but the number: take records of format fixed:BYTES");
}

TEST(Validate, RefusesFieldsOfLengthPrefixedRecords) {
  Format prefixed = parse_format("prefixed");
  prefixed.fields.push_back(parse_field("u8@0"));
  EXPECT_EQ(validate_message(prefixed), "length-prefixed records have their keys in front: give no fields");
}

TEST(Validate, RefusesKeysInTextOfFixedRecords) {
  for (const char* const word : {"fixed:10", "prefixed", "gensort", "u32"}) {
    Format format = parse_format(word);
    format.text.keys.emplace_back();
    EXPECT_EQ(validate_message(format),
              "only lines have keys in text: give fields for records of format '" + std::string(word) + "'");
  }
}

TEST(Validate, RefusesFiltersOfNumbersAndMonths) {
  for (const TextKind kind : {TextKind::kNumber, TextKind::kGeneralNumber, TextKind::kHumanNumber, TextKind::kMonth}) {
    Format format;
    format.text.keys.resize(2);
    format.text.keys[1].kind = kind;
    format.text.keys[1].ignore_nonprinting = true;
    EXPECT_EQ(validate_message(format), "key 2: characters are ignored in text only, not in numbers, months and times");
  }
  for (const TextKind kind : {TextKind::kText, TextKind::kVersion, TextKind::kRandom}) {
    Format format;
    format.text.keys.resize(1);
    format.text.keys[0].kind = kind;
    format.text.keys[0].dictionary = true;
    EXPECT_NO_THROW(validate(format));
  }
}

}  // namespace
}  // namespace sortie
