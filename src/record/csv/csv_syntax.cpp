#include "record/csv/csv_syntax.hpp"

#include <algorithm>

namespace sortie {

void append_csv_field(std::string_view value, const CsvSyntax& syntax, std::string& out) {
  const auto is_special = [&](char byte) {
    return byte == '"' || byte == '\n' || byte == '\r' || byte == syntax.separator;
  };
  if (!syntax.has_quotes() || std::ranges::none_of(value, is_special)) {
    out += value;
    return;
  }
  const char escape = syntax.has_backslashes() ? '\\' : '"';
  out += '"';
  for (const char byte : value) {
    if (byte == '"' || byte == escape) out += escape;
    out += byte;
  }
  out += '"';
}

}  // namespace sortie
