#include "pipeline/input/refused_text.hpp"

#include <string_view>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/line_ends.hpp"

namespace sortie {
namespace {

/// "line 3, column 5", from 1; columns are bytes.
std::string line_and_column(std::span<const std::byte> bytes, std::size_t at, std::uint64_t lines_before) {
  const std::string_view before(reinterpret_cast<const char*>(bytes.data()), at);
  const std::uint64_t line = lines_before + count_bytes(bytes.first(at), '\n') + 1;
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(line) + ", column " + std::to_string(at - line_begin + 1);
}

}  // namespace

void refuse_wide_text(const std::string& path, std::span<const std::byte> begin) {
  const std::string_view text(reinterpret_cast<const char*>(begin.data()), begin.size());
  if (!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) return;
  throw Error("input " + quote_path(path) +
              " is text in UTF-16: turn it into UTF-8 first, for example by iconv -f UTF-16");
}

void refuse_bare_returns(const std::string& path, std::span<const std::byte> records, bool has_quotes) {
  bool is_quoted = false;
  for (std::size_t i = 0; i + 1 < records.size(); ++i) {
    if (has_quotes && records[i] == std::byte('"')) is_quoted = !is_quoted;
    const std::byte next = records[i + 1];
    const bool ends_line = next == std::byte('\n') || next == std::byte('\r');
    if (is_quoted || records[i] != std::byte('\r') || ends_line) continue;
    throw Error("input " + quote_path(path) +
                ": its first record has a carriage return in it; if lines end so, turn these into newlines first, for "
                "example by tr '\\r' '\\n', else put the field in quotes");
  }
}

void refuse_quote_fault(std::span<const std::byte> bytes, CsvSyntax syntax, bool at_end, const std::string& input,
                        std::uint64_t lines_before) {
  const std::optional<QuoteFault> fault = find_quote_fault(bytes, syntax, at_end);
  if (!fault) return;
  const std::string position = input + ": " + line_and_column(bytes, fault->at, lines_before) + ": ";
  if (fault->is_open) {
    throw Error(position + "an opening quote without a closing one; close it, or let quotes mean nothing",
                Remedy::kQuoting);
  }
  const std::string escape = syntax.has_backslashes() ? "put a backslash in front of" : "double";
  throw Error(position + "text behind the closing quote of the field that begins in " +
                  line_and_column(bytes, fault->field_begin, lines_before) + "; " + escape +
                  " quotes within a field, or let quotes mean nothing",
              Remedy::kQuoting);
}

}  // namespace sortie
