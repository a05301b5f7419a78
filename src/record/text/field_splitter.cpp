#include "record/text/field_splitter.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <sortie/error.hpp>

#include "base/release_memory.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

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

// By blocks of 64 bytes: where a byte is blank and the one in front is not, or the other way round, a field begins or
// ends. What is in front of the line counts as blank.
void split_at_blanks(std::string_view line, SplitFields& fields) {
  constexpr std::size_t kBlock = 64;
  const char* begin = nullptr;  // of the field that has not ended
  std::uint64_t before = 1;
  for (std::size_t at = 0; at < line.size(); at += kBlock) {
    const std::uint64_t blanks = block_bits(line.data(), line.size(), at, usual_blanks);
    std::uint64_t edges = blanks ^ (blanks << 1 | before);
    before = blanks >> (kBlock - 1);
    if (line.size() - at < kBlock) edges &= (std::uint64_t{1} << (line.size() - at)) - 1;
    for (; edges != 0; edges &= edges - 1) {
      const char* const edge = line.data() + at + std::countr_zero(edges);
      if (begin != nullptr) fields.add(begin, edge);
      begin = begin == nullptr ? edge : nullptr;
    }
  }
  if (begin != nullptr) fields.add(begin, line.data() + line.size());
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
