// Parses any text as --format, --field and -k do, and as an obsolete key. It is refused by an Error, or it has the
// same meaning when it is written out and read again.
//
//   | which | text |
#include <optional>
#include <string>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/text_keys.hpp>

#include "fuzz/fuzz_target.hpp"
#include "record/csv/column_names.hpp"
#include "record/record_order.hpp"

namespace sortie {
namespace {

/// Writes the type of a time as ":time(FORMAT)".
std::string written(const std::optional<TimeType>& time) {
  if (!time) return "";
  const std::string formats[] = {"", "(s)", "(ms)", "(us)", "(ns)", "(" + time->pattern + ")"};
  return ":time" + formats[static_cast<std::size_t>(time->form)];
}

/// Writes a normal form as ":normal(PARTS)".
std::string written(const NormalForm& normal) {
  std::string parts;
  const auto add = [&](bool is_set, const char* name) {
    if (is_set) parts.append(parts.empty() ? "" : ",").append(name);
  };
  add(normal.case_fold, "case");
  add(normal.space, "space");
  add(normal.nfkc, "nfkc");
  add(normal.punctuation, "punct");
  return parts.empty() ? "" : ":normal(" + parts + ")";
}

/// Writes a type that has no letter.
std::string written_type(const OrderingOptions& options) { return options.hash ? ":hash" : written(options.time); }

/// Writes a key as "F.COPTS,F.COPTS". -b applies to the position at which it stands.
std::string written(const KeyDefinition& key) {
  OrderingOptions common = key.options;
  common.skip_blanks_at_begin = common.skip_blanks_at_end = false;
  std::string text = std::to_string(key.begin.field + 1) + "." + std::to_string(key.begin.byte + 1) +
                     (key.options.skip_blanks_at_begin ? "b" : "") + common.letters();
  if (!key.end) return text + written(key.options.normal) + written_type(key.options);
  const std::size_t field = key.end->byte == 0 ? key.end->field : key.end->field + 1;
  return text + "," + std::to_string(field) + "." + std::to_string(key.end->byte) +
         (key.options.skip_blanks_at_end ? "b" : "") + written(key.options.normal) + written_type(key.options);
}

void check_format(std::string_view text) {
  const Format format = parse_format(text);
  fuzz::require(parse_format(to_string(format)) == format, "a format that is written out is the same");
  const RecordOrder order(format);
}

void check_field(std::string_view text) {
  const Field field = parse_field(text);
  fuzz::require(parse_field(to_string(field)) == field, "a field that is written out is the same");
  Format format = parse_format("fixed:1000");
  format.fields.push_back(field);
  const RecordOrder order(format);
  const std::vector<std::byte> record(1000);
  const auto key = order.normalised_key(record, 1000);
  fuzz::require(key.size() == field.length, "a key is as long as its field");
}

void check_key(std::string_view text) {
  const KeyDefinition key = parse_key_definition(text);
  fuzz::require(parse_key_definition(written(key)) == key, "a key that is written out is the same");
  make_text_key(key, {});
}

void check_column_key(std::string_view text) {
  const KeyDefinition key = parse_column_key(text);
  fuzz::require(!key.column.empty(), "a key of a column has a name");
  std::string quoted = "\"";
  for (const char byte : key.column) quoted.append(byte == '"' ? 2 : 1, byte);
  OrderingOptions options = key.options;
  options.descending = false;
  const std::string letters = options.letters();
  const std::string type = written(options.normal) + (letters.empty() ? written_type(options) : ":" + letters);
  const KeyDefinition again = parse_column_key(quoted + "\"" + type + (key.options.descending ? ":desc" : ""));
  fuzz::require(again == key, "a column that is written out is the same");
  TextOrder order;
  order.keys.push_back(make_text_key(key, {}));
  with_columns_found(order, quoted + "\"\n");
}

void check_json_key(std::string_view text) {
  const KeyDefinition key = parse_json_key(text);
  Format format;
  format.text.json = true;
  format.text.keys.push_back(make_text_key(key, {}));
  validate(format);
  fuzz::require(parse_json_key(key.column).column == key.column, "a path is the same when it is read again");
}

void check_obsolete_key(std::string_view text) {
  const std::size_t space = text.find(' ');
  const std::string_view end = space == std::string_view::npos ? "" : text.substr(space + 1);
  const auto key = parse_obsolete_key(text.substr(0, space), end);
  if (key) make_text_key(*key, {});
}

void check(fuzz::InputReader input) {
  switch (input.byte() % 6) {
    case 0:
      return check_format(input.rest());
    case 1:
      return check_field(input.rest());
    case 2:
      return check_key(input.rest());
    case 3:
      return check_column_key(input.rest());
    case 5:
      return check_json_key(input.rest());
    default:
      return check_obsolete_key(input.rest());
  }
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sortie::fuzz::check_unless_refused(sortie::check, {data, size});
}
