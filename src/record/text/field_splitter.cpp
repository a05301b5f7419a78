#include "record/text/field_splitter.hpp"

#include <algorithm>
#include <limits>

#include <sortie/error.hpp>

#include "base/release_memory.hpp"

namespace sortie {
namespace {

// To search for a set of characters, or with a pointer to a function, costs a call for each byte.
constexpr auto kIsBlank = [](char byte) { return byte == ' ' || byte == '\t' || byte == '\n'; };

/// The quote that closes the quoted field that `record` begins with; npos if there is none.
std::size_t closing_quote(std::string_view record, const CsvSyntax& syntax) {
  if (syntax.has_backslashes()) {
    std::size_t at = record.find_first_of("\"\\", 1);
    while (at < record.size() && record[at] == '\\') at = record.find_first_of("\"\\", at + 2);
    return at;
  }
  std::size_t at = record.find('"', 1);
  while (at != std::string_view::npos && record.substr(at + 1).starts_with('"')) at = record.find('"', at + 2);
  return at;
}

/// Where the field of CSV ends that `record` begins with.
std::size_t end_of_csv_field(std::string_view record, const CsvSyntax& syntax) {
  std::size_t at = 0;
  if (syntax.has_quotes() && record.starts_with('"')) {
    at = closing_quote(record, syntax);
    if (at == std::string_view::npos) return record.size();
  }
  return std::min(record.find(syntax.separator, at), record.size());
}

void split_at_blanks(std::string_view line, SplitFields& fields) {
  const char* const line_end = line.data() + line.size();
  const char* at = std::find_if_not(line.data(), line_end, kIsBlank);
  while (at != line_end) {
    const char* const end = std::find_if(at, line_end, kIsBlank);
    fields.add(at, end);
    at = std::find_if_not(end, line_end, kIsBlank);
  }
}

}  // namespace

void SplitFields::begin(std::string_view line) {
  if (line.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error("a record of " + std::to_string(line.size()) +
                " bytes is too long to be joined: less than 4 GiB can be");
  constexpr std::size_t kUsualFields = 64 << 10;
  if (fields_.capacity() > kUsualFields) release_memory(fields_);
  line_ = line;
  fields_.clear();
}

void FieldSplitter::split(std::string_view line, SplitFields& fields) const {
  fields.begin(line);
  if (separator_.empty()) return split_at_blanks(line, fields);
  while (true) {
    const std::size_t end = csv_ ? end_of_csv_field(line, syntax_) : std::min(line.find(separator_), line.size());
    fields.add(line.data(), line.data() + end);
    if (end == line.size()) return;
    line.remove_prefix(end + separator_.size());
  }
}

}  // namespace sortie
