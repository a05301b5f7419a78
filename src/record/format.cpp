// Formats and fields as values: what may be, and what may not.
#include <sortie/format.hpp>

#include <algorithm>
#include <limits>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/enumeration.hpp"
#include "record/fixed_key.hpp"
#include "record/json/json_text.hpp"
#include "record/time/time_pattern.hpp"
#include "record/time/time_zones.hpp"

namespace sortie {
namespace {

// Key plans count in 32 bits; see KeyPart.
constexpr std::uint64_t kMaxRecordBytes = std::numeric_limits<std::uint32_t>::max();

void validate_field(const Field& field, std::uint64_t record_bytes) {
  refuse_unknown(field.kind, FieldKind::kFloat, "kind of field");
  refuse_unknown(field.byte_order, ByteOrder::kBig, "byte order");
  if (!length_suits(field)) {
    throw Error("field at offset " + std::to_string(field.offset) + ": a length of " + std::to_string(field.length) +
                " bytes does not suit its type");
  }
  if (field.offset > record_bytes || field.length > record_bytes - field.offset) {
    throw Error("field '" + to_string(field) + "' leaves the record: it needs " + std::to_string(field.length) +
                " bytes from byte " + std::to_string(field.offset) + " of a record of " + std::to_string(record_bytes) +
                " bytes");
  }
}

bool reads_text(const TextKey& key) {
  return key.kind == TextKind::kText || key.kind == TextKind::kVersion || key.kind == TextKind::kKaryotype ||
         key.kind == TextKind::kListed || key.kind == TextKind::kAlleles || key.kind == TextKind::kRandom ||
         key.kind == TextKind::kHash || key.kind == TextKind::kShare;
}

void validate_normal_form(const TextKey& key) {
  const bool is_text = key.kind == TextKind::kText || key.kind == TextKind::kRandom || key.kind == TextKind::kHash ||
                       key.kind == TextKind::kShare;
  if (!key.normal.is_wanted()) return;
  if (!is_text || key.fold_case || key.dictionary || key.ignore_nonprinting) {
    throw Error("a normal form is of text: leave -d, -f and -i out, and read the key as text, by -R, or as a hash");
  }
}

void validate_shares(const TextKey& key) {
  if ((key.kind == TextKind::kShare) == key.shares.empty()) {
    throw Error("shares of all records need names, and a key that is read as a share");
  }
  std::uint64_t billionths = 0;
  for (const Share& share : key.shares) billionths += share.billionths;
  if (!key.shares.empty() && billionths != kWholeOfShares) throw Error("shares of all records add up to 1");
}

void validate_csv(const Format& format) {
  const std::string& separator = format.text.separator;
  refuse_unknown(format.text.quoting, Quoting::kBackslash, "meaning of quotes");
  if (separator.empty()) throw Error("records of CSV need a separator of their fields");
  if (separator.size() > 1 || separator == "\"" || separator == "\n" || separator == "\r") {
    throw Error("fields of CSV cannot be separated by " + quote_word(separator) + ": take one other character");
  }
  if (separator == "\\" && format.text.quoting == Quoting::kBackslash) {
    throw Error(
        "fields of CSV with backslashes in front of quotes cannot be separated by backslashes, too: take one "
        "other character");
  }
  if (format.delimiter != '\n') throw Error("records of CSV end in newlines: take no other delimiter");
}

void validate_json(const TextOrder& order) {
  if (order.csv || order.record_start) throw Error("lines of JSON are no CSV, and each is a record: ask for one form");
  if (order.keys.empty() || std::ranges::any_of(order.keys, &std::string::empty, &TextKey::column)) {
    throw Error("JSON Lines need a key: give the path of a value, for example .user.id");
  }
  if (order.locale) throw Error("text in JSON is ordered by its bytes: ask for no locale");
  for (const TextKey& key : order.keys) {
    std::string_view path = key.column;
    take_json_path(path);
    if (!path.empty()) throw Error(quote_word(path) + " is too much in the path " + quote_word(key.column));
  }
}

void validate_lines(const Format& format) {
  if (!format.fields.empty()) {
    throw Error("lines have no fields at fixed offsets: take keys in text, or records of format fixed:BYTES");
  }
  if (const std::string& separator = format.text.separator;
      separator.size() > 1 && separator.find(format.delimiter) != std::string::npos) {
    throw Error("no line holds the separator " + quote_word(separator) + ", in which one ends: take another one");
  }
  if (format.text.csv) validate_csv(format);
  static_cast<void>(TimeZones::of(format.text));
  if (format.text.json && !format.shuffle) validate_json(format.text);
  if (format.text.record_start && format.text.csv) {
    throw Error("records of CSV end by themselves: let no regular expression begin them");
  }
  if (format.text.record_start && format.delimiter != '\n') {
    throw Error("records of several lines have lines that end in newlines: take no other delimiter");
  }
  for (std::size_t i = 0; i < format.text.keys.size(); ++i) {
    const TextKey& key = format.text.keys[i];
    refuse_unknown(key.kind, TextKind::kShare, "kind of key");
    validate_normal_form(key);
    validate_shares(key);
    refuse_unknown(key.time.form, TimeForm::kPattern, "form of times");
    if (key.time.form == TimeForm::kPattern) validate_time_pattern(key.time.pattern);
    if (!key.column.empty() && !format.text.csv && !format.text.json) {
      throw Error("key " + quote_word(key.column) + ": columns have names in CSV only");
    }
    if ((key.dictionary || key.ignore_nonprinting) && !reads_text(key)) {
      throw Error("key " + std::to_string(i + 1) +
                  ": characters are ignored in text only, not in numbers, months and times");
    }
  }
}

void validate_shuffle(const Format& format) {
  const bool has_fields = !format.fields.empty() && format.kind != RecordKind::kArray;
  const TextOrder& text = format.text;
  const bool has_keys = !text.keys.empty() && !(text.keys.size() == 1 && is_ordered_by_shares(text));
  if (has_fields || has_keys || text.locale || text.last_resort_descending || format.descending) {
    throw Error("a shuffle has neither keys nor a direction: leave them out, or do not shuffle");
  }
}

void validate_array(const Format& format) {
  const bool fills_record = format.fields.size() == 1 && format.fields[0].offset == 0 &&
                            format.fields[0].length == format.record_bytes &&
                            format.fields[0].kind != FieldKind::kBytes;
  if (!fills_record) {
    throw Error("an array of numbers has no fields but the number: take records of format fixed:BYTES");
  }
  validate_field(format.fields[0], format.record_bytes);
}

void validate_fixed(const Format& format) {
  if (format.record_bytes == 0 || format.record_bytes > kMaxRecordBytes) {
    throw Error("record length of " + std::to_string(format.record_bytes) + " bytes: give 1 to " +
                std::to_string(kMaxRecordBytes));
  }
  if (format.fields.size() > kMaxFields) {
    throw Error(std::to_string(format.fields.size()) + " fields: at most " + std::to_string(kMaxFields) +
                " make up a key");
  }
  std::uint64_t key_bytes = 0;
  for (const Field& field : format.fields) {
    validate_field(field, format.record_bytes);
    key_bytes += field.length;
  }
  if (key_bytes > kMaxRecordBytes) {
    throw Error("the fields make a key of " + std::to_string(key_bytes) + " bytes: at most " +
                std::to_string(kMaxRecordBytes) + " are possible");
  }
}

}  // namespace

void validate(const Format& format) {
  refuse_unknown(format.kind, RecordKind::kPrefixed, "kind of records");
  if (format.shuffle) validate_shuffle(format);
  if (format.kind == RecordKind::kLines) return validate_lines(format);
  if (format.kind == RecordKind::kArray) validate_array(format);
  if (format.kind == RecordKind::kFixed) validate_fixed(format);
  if (format.kind == RecordKind::kPrefixed && !format.fields.empty()) {
    throw Error("length-prefixed records have their keys in front: give no fields");
  }
  if (!format.text.keys.empty()) {
    throw Error("only lines have keys in text: give fields for records of format '" + to_string(format) + "'");
  }
}

}  // namespace sortie
