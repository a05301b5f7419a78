// A CSV reader that goes byte by byte, as plainly as possible. The tests compare with it.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "record/csv/csv_syntax.hpp"

namespace sortie::test {

struct CsvRecord {
  std::string_view raw;             // includes the line end
  std::vector<std::string> values;  // values of its fields
};

struct CsvText {
  std::vector<CsvRecord> records;
  std::string_view rest;  // bytes after the last whole record
  bool inside_quotes = false;
  bool has_fault = false;  // something follows a closing quote that may not
};

/// Whether what is at `at` may follow a closing quote.
inline bool may_follow_quote(std::string_view text, std::size_t at, char separator) {
  const std::string_view rest = text.substr(at);
  return rest.empty() || rest[0] == separator || rest[0] == '\n' || rest == "\r" || rest.starts_with("\r\n");
}

inline CsvText read_csv(std::string_view text, CsvSyntax syntax = {}) {
  const char separator = syntax.separator;
  CsvText csv;
  std::size_t begin = 0;
  CsvRecord record{{}, {""}};
  bool quoted = false;
  bool field_begins = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    const std::string_view next = text.substr(at + 1, 1);
    if (quoted && byte == '\\' && syntax.has_backslashes() && !next.empty()) {
      if (next != "\"" && next != "\\") record.values.back() += byte;
      record.values.back() += text[++at];
    } else if (quoted && byte == '"' && next == "\"" && !syntax.has_backslashes()) {
      record.values.back() += text[at++];
    } else if (quoted && byte == '"') {
      quoted = false;
      csv.has_fault |= !may_follow_quote(text, at + 1, separator);
    } else if (!quoted && byte == '"' && field_begins) {
      quoted = true;
    } else if (!quoted && byte == separator) {
      record.values.emplace_back();
      field_begins = true;
      continue;
    } else if (!quoted && byte == '\n') {
      std::string& last = record.values.back();
      if (at > begin && text[at - 1] == '\r') last.pop_back();
      record.raw = text.substr(begin, at + 1 - begin);
      csv.records.push_back(record);
      record = {{}, {""}};
      begin = at + 1;
      field_begins = true;
      continue;
    } else {
      record.values.back() += byte;
    }
    field_begins = false;
  }
  csv.rest = text.substr(begin);
  csv.inside_quotes = quoted;
  return csv;
}

/// Text full of difficult CSV, well-formed or not.
inline std::string random_csv(std::size_t bytes, std::uint64_t seed, std::string_view alphabet) {
  std::mt19937_64 random(seed);
  std::string text;
  while (text.size() < bytes) text += alphabet[random() % alphabet.size()];
  return text;
}

/// A field in quotes. If it needs none, `always_quoted` decides.
inline std::string csv_field(std::string_view value, bool always_quoted, char separator = ',') {
  const char special[] = {separator, '"', '\n', '\r', '\0'};
  if (!always_quoted && value.find_first_of(special) == std::string_view::npos) return std::string(value);
  std::string field = "\"";
  for (const char byte : value) field.append(byte == '"' ? 2 : 1, byte);
  return field + '"';
}

/// Well-formed records of three fields: a text with anything in it, a number, a short text.
inline std::string well_formed_csv(std::size_t records, std::uint64_t seed, std::string_view line_end = "\n",
                                   char separator = ',') {
  std::mt19937_64 random(seed);
  std::string text;
  for (std::size_t i = 0; i < records; ++i) {
    const std::string note = random_csv(random() % 20, random(), "abc, \"\n\t");
    text += csv_field(note, random() % 3 == 0, separator) + separator;
    text += csv_field(std::to_string(static_cast<int>(random() % 200) - 100), random() % 4 == 0, separator);
    text += separator + csv_field(std::string(random() % 4, "xyz"[random() % 3]), random() % 4 == 0, separator);
    text += line_end;
  }
  return text;
}

}  // namespace sortie::test
