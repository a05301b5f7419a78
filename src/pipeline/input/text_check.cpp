#include "pipeline/input/text_check.hpp"

#include <string_view>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {

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

}  // namespace sortie
