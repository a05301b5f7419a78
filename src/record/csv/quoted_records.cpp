#include "record/csv/quoted_records.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "base/parallel.hpp"
#include "record/line_ends.hpp"

namespace sortie {
namespace {

/// Fits a core's cache, since a section is read twice.
constexpr std::size_t kSectionBytes = 256 << 10;

/// Bytes that begin behind a newline: either with a record, or within quotes.
struct Section {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool inside = false;  // begins within quotes, as far as the number of quotes before it shows
  bool odd_quotes = false;
  bool inside_behind = false;            // ends within quotes, if `inside` is right
  bool has_fault = false;                // the same
  std::optional<std::size_t> first_end;  // first end of a record in it
  std::size_t last_end = 0;
};

std::vector<Section> make_sections(std::span<const std::byte> bytes, std::size_t wanted) {
  std::vector<Section> sections;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= wanted && begin < bytes.size(); ++i) {
    const auto target = static_cast<std::size_t>(static_cast<unsigned __int128>(bytes.size()) * i / wanted);
    if (target <= begin) continue;
    const void* const newline = std::memchr(bytes.data() + target - 1, '\n', bytes.size() - target + 1);
    Section section;
    section.begin = begin;
    section.end = newline == nullptr
                      ? bytes.size()
                      : static_cast<std::size_t>(static_cast<const std::byte*>(newline) - bytes.data()) + 1;
    begin = section.end;
    sections.push_back(section);
  }
  return sections;
}

void find_ends(std::span<const std::byte> bytes, CsvSyntax syntax, Section& section) {
  section.first_end.reset();
  section.last_end = 0;
  const auto text = bytes.subspan(section.begin, section.end - section.begin);
  const QuotesSeen quotes = for_each_quoted_end(text, syntax, section.inside, [&](std::size_t end) {
    if (!section.first_end) section.first_end = section.begin + end;
    section.last_end = section.begin + end;
    return true;
  });
  section.inside_behind = quotes.inside;
  section.has_fault = quotes.fault;
}

/// Whether an odd number of quotes may open or close a field: with backslashes, of those that none stands in front of.
/// Precondition: no backslash stands in front of `text`.
bool has_odd_quotes(std::string_view text, CsvSyntax syntax) {
  std::uint64_t quotes = count_bytes(std::as_bytes(std::span(text)), '"');
  if (!syntax.has_backslashes()) return quotes % 2 != 0;
  for (std::size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
    if (at + 1 < text.size() && text[at + 1] == '"') --quotes;
    at += 2;
  }
  return quotes % 2 != 0;
}

// The number of quotes before a section says whether it begins within quotes, unless some of them are ordinary bytes:
// then the ends found in it are wrong, and are searched for once more.
void find_all_ends(std::span<const std::byte> bytes, CsvSyntax syntax, std::vector<Section>& sections) {
  if (sections.size() > 1) {
    parallel_for(0, sections.size(), [&](std::size_t i) {
      const std::string_view text(reinterpret_cast<const char*>(bytes.data()), sections[i].end);
      sections[i].odd_quotes = has_odd_quotes(text.substr(sections[i].begin), syntax);
    });
  }
  for (std::size_t i = 1; i < sections.size(); ++i) {
    sections[i].inside = sections[i - 1].inside != sections[i - 1].odd_quotes;
  }
  parallel_for(0, sections.size(), [&](std::size_t i) { find_ends(bytes, syntax, sections[i]); });
  for (std::size_t i = 1; i < sections.size(); ++i) {
    if (sections[i].inside == sections[i - 1].inside_behind) continue;
    sections[i].inside = sections[i - 1].inside_behind;
    find_ends(bytes, syntax, sections[i]);
  }
}

/// Moves the quoted part from the front of `rest` to `value`, and takes its closing quote off. `rest` begins behind the
/// opening quote.
void take_quoted(std::string_view& rest, std::string& value) {
  while (true) {
    const std::size_t quote = rest.find('"');
    value.append(rest.substr(0, quote));
    rest.remove_prefix(quote == std::string_view::npos ? rest.size() : quote + 1);
    if (!rest.starts_with('"')) return;
    value += '"';
    rest.remove_prefix(1);
  }
}

/// The same where backslashes stand in front of quotes and backslashes. In front of another byte one is itself.
void take_escaped(std::string_view& rest, std::string& value) {
  while (true) {
    const std::size_t special = std::min(rest.size(), rest.find_first_of("\"\\"));
    value.append(rest.substr(0, special));
    rest.remove_prefix(special);
    if (rest.empty()) return;
    const char byte = rest.front();
    rest.remove_prefix(1);
    if (byte == '"') return;
    const bool stands_for_next = rest.starts_with('"') || rest.starts_with('\\');
    value += stands_for_next ? rest.front() : byte;
    if (stands_for_next) rest.remove_prefix(1);
  }
}

}  // namespace

QuotedRanges cut_quoted_records(std::span<const std::byte> bytes, CsvSyntax syntax, std::size_t wanted) {
  QuotedRanges cut;
  std::vector<Section> sections = make_sections(bytes, wanted);
  if (sections.empty()) return cut;
  find_all_ends(bytes, syntax, sections);
  cut.inside_quotes = sections.back().inside_behind;
  cut.has_fault = std::ranges::any_of(sections, &Section::has_fault);
  std::size_t whole = 0;
  for (const Section& section : sections) whole = std::max(whole, section.last_end);
  std::size_t begin = 0;
  const auto end_range = [&](std::size_t end) {
    if (end > begin) cut.ranges.push_back(bytes.subspan(begin, end - begin));
    begin = end;
  };
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const std::optional<std::size_t> record = sections[i].inside ? sections[i].first_end : sections[i].begin;
    if (record) end_range(std::min(*record, whole));
  }
  end_range(whole);
  return cut;
}

QuotedRanges find_quoted_records(std::span<const std::byte> bytes, CsvSyntax syntax) {
  return cut_quoted_records(bytes, syntax, bytes.size() / kSectionBytes + 1);
}

std::optional<QuoteFault> find_quote_fault(std::span<const std::byte> bytes, CsvSyntax syntax, bool at_end) {
  QuoteScanner scanner(syntax);
  QuoteFault fault;
  bool was_inside = false;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    scanner.is_record_end(static_cast<char>(bytes[at]));
    // Two quotes in a row close the field and open it again.
    const bool opens = scanner.inside_quotes() && !was_inside && (at == 0 || bytes[at - 1] != std::byte('"'));
    if (opens) fault.field_begin = at;
    was_inside = scanner.inside_quotes();
    fault.at = at;
    if (scanner.has_fault()) return fault;
  }
  if (!at_end || !was_inside) return std::nullopt;
  fault.is_open = true;
  fault.at = fault.field_begin;
  return fault;
}

std::string_view without_line_end(std::string_view record) {
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

bool has_quoted_field(std::string_view record, char separator) {
  if (record.find('"') == std::string_view::npos) return false;
  record = without_line_end(record);
  while (true) {
    const std::string_view field = record.substr(0, record.find(separator));
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') return true;
    if (field.size() == record.size()) return false;
    record.remove_prefix(field.size() + 1);
  }
}

void unquote_record(std::string_view record, CsvSyntax syntax, std::size_t wanted, UnquotedRecord& unquoted) {
  unquoted.text.clear();
  unquoted.ends.clear();
  while (true) {
    if (syntax.has_quotes() && record.starts_with('"')) {
      record.remove_prefix(1);
      syntax.has_backslashes() ? take_escaped(record, unquoted.text) : take_quoted(record, unquoted.text);
    }
    const std::size_t end = record.find(syntax.separator);
    unquoted.text.append(record.substr(0, end));
    if (end == std::string_view::npos) return;
    unquoted.ends.push_back(unquoted.text.size());
    if (unquoted.ends.size() == wanted) return;
    unquoted.text += syntax.separator;
    record.remove_prefix(end + 1);
  }
}

std::vector<std::string> field_values(std::string_view record, CsvSyntax syntax) {
  UnquotedRecord unquoted;
  unquote_record(record, syntax, std::numeric_limits<std::size_t>::max(), unquoted);
  std::vector<std::string> values;
  values.reserve(unquoted.ends.size() + 1);  // there may be many
  std::size_t begin = 0;
  for (const std::size_t end : unquoted.ends) {
    values.push_back(unquoted.text.substr(begin, end - begin));
    begin = end + 1;
  }
  values.push_back(unquoted.text.substr(begin));
  return values;
}

std::string in_csv_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char byte : text) quoted.append(byte == '"' ? 2 : 1, byte);
  return quoted + '"';
}

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
