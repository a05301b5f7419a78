// Formats and fields as words: what --format and --field take, read and written.
#include <sortie/format.hpp>

#include <array>
#include <bit>
#include <optional>
#include <span>

#include <sortie/error.hpp>

#include "base/checksum.hpp"
#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

struct NumberName {
  std::string_view word;
  FieldKind kind;
  std::uint64_t bytes;
};

constexpr std::array<NumberName, 11> kNumberTypes = {{{"u8", FieldKind::kUnsigned, 1},
                                                      {"u16", FieldKind::kUnsigned, 2},
                                                      {"u32", FieldKind::kUnsigned, 4},
                                                      {"u64", FieldKind::kUnsigned, 8},
                                                      {"i8", FieldKind::kSigned, 1},
                                                      {"i16", FieldKind::kSigned, 2},
                                                      {"i32", FieldKind::kSigned, 4},
                                                      {"i64", FieldKind::kSigned, 8},
                                                      {"f16", FieldKind::kFloat, 2},
                                                      {"f32", FieldKind::kFloat, 4},
                                                      {"f64", FieldKind::kFloat, 8}}};

constexpr const char* kFieldSyntax = "write TYPE@OFFSET[:LENGTH][:desc], for example u32be@4:desc";

const NumberName* find_number_type(std::string_view word) {
  for (const NumberName& type : kNumberTypes) {
    if (type.word == word) return &type;
  }
  return nullptr;
}

std::optional<ByteOrder> take_byte_order(std::string_view& type) {
  const bool little = type.ends_with("le");
  if (!little && !type.ends_with("be")) return std::nullopt;
  type.remove_suffix(2);
  return little ? ByteOrder::kLittle : ByteOrder::kBig;
}

void parse_type(std::string_view word, std::string_view whole, Field& field) {
  if (word == "bytes") return;
  std::string_view type_word = word;
  field.byte_order = take_byte_order(type_word).value_or(ByteOrder::kLittle);
  const NumberName* type = find_number_type(type_word);
  if (type == nullptr) {
    throw Error("unknown type " + quote_word(word) + " in field " + quote_word(whole) +
                ": known are bytes, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32 and f64, the numbers with le or be");
  }
  field.kind = type->kind;
  field.length = type->bytes;
}

std::uint64_t parse_offset(std::string_view word, std::string_view whole) {
  const std::optional<std::uint64_t> offset = whole_number<std::uint64_t>(word);
  if (!offset) {
    throw Error("invalid offset " + quote_word(word) + " in field " + quote_word(whole) + ": " + kFieldSyntax);
  }
  return *offset;
}

void parse_length(std::string_view word, std::string_view whole, Field& field) {
  const std::optional<std::uint64_t> length = whole_number<std::uint64_t>(word);
  if (!length || *length == 0) {
    throw Error("invalid length " + quote_word(word) + " in field " + quote_word(whole) +
                ": give a number of bytes, or desc");
  }
  if (field.kind != FieldKind::kBytes && *length != field.length) {
    throw Error("length " + quote_word(word) + " in field " + quote_word(whole) +
                " does not suit its type, which has " + std::to_string(field.length) +
                (field.length == 1 ? " byte" : " bytes"));
  }
  field.length = *length;
}

Format fixed_format(std::string_view text, std::string_view length) {
  const std::optional<std::uint64_t> record_bytes = whole_number<std::uint64_t>(length);
  if (!record_bytes) {
    throw Error("invalid record length in format " + quote_word(text) +
                ": give the number of bytes, for example fixed:100");
  }
  Format format;
  format.kind = RecordKind::kFixed;
  format.record_bytes = *record_bytes;
  validate(format);
  return format;
}

Format prefixed_format() {
  Format format;
  format.kind = RecordKind::kPrefixed;
  return format;
}

Format gensort_format() {
  Format format = fixed_format("gensort", "100");
  format.fields.push_back(Field{FieldKind::kBytes, ByteOrder::kLittle, 0, 10, false});
  return format;
}

std::string type_word(const Field& field) {
  if (field.kind == FieldKind::kBytes) return "bytes";
  for (const NumberName& type : kNumberTypes) {
    if (type.kind == field.kind && type.bytes == field.length) {
      return std::string(type.word) + (field.byte_order == ByteOrder::kBig ? "be" : "");
    }
  }
  throw Error("no type has a length of " + std::to_string(field.length) + " bytes");
}

}  // namespace

Format parse_format(std::string_view text) {
  if (text == "lines") return Format{};
  if (text == "gensort") return gensort_format();
  if (text == "prefixed") return prefixed_format();
  if (text.starts_with("fixed:")) return fixed_format(text, text.substr(6));
  const NumberName* type = find_number_type(text);
  if (type == nullptr || type->bytes < 4) {
    throw Error("unknown format " + quote_word(text) +
                ": known are lines, fixed:BYTES, prefixed, gensort, u32, i32, u64, i64, f32 and f64");
  }
  Format format;
  format.kind = RecordKind::kArray;
  format.record_bytes = type->bytes;
  format.fields.push_back(Field{type->kind, ByteOrder::kLittle, 0, type->bytes, false});
  return format;
}

Field parse_field(std::string_view text) {
  std::string_view rest = text;
  Field field;
  parse_type(take_until(rest, '@'), text, field);
  const std::vector<std::string_view> words = split(rest, ':');
  field.offset = parse_offset(words[0], text);
  std::size_t next = 1;
  if (next < words.size() && words[next] != "desc") parse_length(words[next++], text, field);
  if (next < words.size() && words[next] == "desc") {
    field.descending = true;
    ++next;
  }
  if (next != words.size()) {
    throw Error(quote_word(words[next]) + " is too much in field " + quote_word(text) + ": " + kFieldSyntax);
  }
  if (field.length == 0) throw Error("field " + quote_word(text) + " needs a length: write bytes@OFFSET:LENGTH");
  return field;
}

std::array<std::byte, 16> seed_of_text(std::string_view text) {
  return std::bit_cast<std::array<std::byte, 16>>(hash_record(std::as_bytes(std::span(text))));
}

std::string to_string(const Format& format) {
  switch (format.kind) {
    case RecordKind::kLines:
      return "lines";
    case RecordKind::kArray:
      return type_word(format.fields.at(0));
    case RecordKind::kPrefixed:
      return "prefixed";
    case RecordKind::kFixed:
      break;
  }
  if (format.fields == gensort_format().fields && format.record_bytes == 100) return "gensort";
  return "fixed:" + std::to_string(format.record_bytes);
}

std::string to_string(const Field& field) {
  std::string text = type_word(field) + "@" + std::to_string(field.offset);
  if (field.kind == FieldKind::kBytes) text.append(":").append(std::to_string(field.length));
  if (field.descending) text += ":desc";
  return text;
}

}  // namespace sortie
