#include "record/csv/unquoted_record.hpp"

#include <limits>

namespace sortie {
namespace {

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

}  // namespace

std::string_view without_line_end(std::string_view record) {
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

void unquote_record(std::string_view record, char separator, std::size_t wanted, UnquotedRecord& unquoted) {
  unquoted.text.clear();
  unquoted.ends.clear();
  while (true) {
    if (record.starts_with('"')) {
      record.remove_prefix(1);
      take_quoted(record, unquoted.text);
    }
    const std::size_t end = record.find(separator);
    unquoted.text.append(record.substr(0, end));
    if (end == std::string_view::npos) return;
    unquoted.ends.push_back(unquoted.text.size());
    if (unquoted.ends.size() == wanted) return;
    unquoted.text += separator;
    record.remove_prefix(end + 1);
  }
}

std::vector<std::string> field_values(std::string_view record, char separator) {
  UnquotedRecord unquoted;
  unquote_record(record, separator, std::numeric_limits<std::size_t>::max(), unquoted);
  std::vector<std::string> values;
  std::size_t begin = 0;
  for (const std::size_t end : unquoted.ends) {
    values.push_back(unquoted.text.substr(begin, end - begin));
    begin = end + 1;
  }
  values.push_back(unquoted.text.substr(begin));
  return values;
}

}  // namespace sortie
