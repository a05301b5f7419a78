#include "formats/alignments/header_text.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace sortie::formats::alignments {
namespace {

constexpr std::string_view kSpecification = "1.6";

bool is_of_kind(std::string_view line, std::string_view kind) {
  return line.size() >= 3 && line[0] == '@' && line.substr(1, 2) == kind && (line.size() == 3 || line[3] == '\t');
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t tab; (tab = line.find('\t')) != std::string_view::npos; line.remove_prefix(tab + 1)) {
    fields.emplace_back(line.substr(0, tab));
  }
  fields.emplace_back(line);
  return fields;
}

std::string joined(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line.append(line.empty() ? "" : "\t").append(field);
  return line;
}

/// Changes the tag where it stands, or adds it; an empty value drops it.
void set_tag(std::vector<std::string>& fields, std::string_view tag, std::string_view value) {
  const std::string begin = std::string(tag) + ":";
  const auto is_tag = [&](const std::string& field) { return field.starts_with(begin); };
  if (value.empty()) {
    fields.erase(std::remove_if(fields.begin() + 1, fields.end(), is_tag), fields.end());
    return;
  }
  const auto found = std::find_if(fields.begin() + 1, fields.end(), is_tag);
  if (found == fields.end()) {
    fields.push_back(begin + std::string(value));
  } else {
    *found = begin + std::string(value);
  }
}

/// A header has no other tabs and newlines than its own.
std::string in_one_field(std::string_view text) {
  std::string field(text);
  for (char& letter : field) {
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  }
  return field;
}

}  // namespace

std::optional<std::string> tag_of(std::string_view line, std::string_view tag) {
  const std::string begin = "\t" + std::string(tag) + ":";
  const std::size_t found = line.find(begin);
  if (found == std::string_view::npos) return std::nullopt;
  line.remove_prefix(found + begin.size());
  return std::string(line.substr(0, line.find('\t')));
}

HeaderText::HeaderText(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines_.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string HeaderText::text() const {
  std::string text;
  for (const std::string& line : lines_) text.append(line).append("\n");
  return text;
}

std::vector<std::string> HeaderText::lines_of(std::string_view kind) const {
  std::vector<std::string> found;
  std::ranges::copy_if(lines_, std::back_inserter(found),
                       [&](const std::string& line) { return is_of_kind(line, kind); });
  return found;
}

void HeaderText::add_missing_references(std::span<const Reference> references) {
  std::set<std::string> known;
  for (const std::string& line : lines_of("SQ")) known.insert(tag_of(line, "SN").value_or(""));
  for (const Reference& reference : references) {
    if (known.contains(reference.name)) continue;
    append("@SQ\tSN:" + reference.name + "\tLN:" + std::to_string(reference.length));
  }
}

void HeaderText::set_sort_order(const SortOrderTags& tags) {
  const auto is_first = [](const std::string& line) { return is_of_kind(line, "HD"); };
  auto found = std::ranges::find_if(lines_, is_first);
  if (found == lines_.end()) found = lines_.insert(lines_.begin(), "@HD\tVN:" + std::string(kSpecification));
  std::rotate(lines_.begin(), found, found + 1);
  std::vector<std::string> fields = fields_of(lines_.front());
  set_tag(fields, "SO", tags.sort_order);
  set_tag(fields, "GO", tags.group_order);
  set_tag(fields, "SS", tags.sub_sort);
  lines_.front() = joined(fields);
}

void HeaderText::add_program(std::string_view name, std::string_view version, std::string_view command) {
  std::set<std::string> names;
  std::set<std::string> named_before;
  const std::vector<std::string> programs = lines_of("PG");
  for (const std::string& line : programs) {
    names.insert(tag_of(line, "ID").value_or(""));
    if (const auto before = tag_of(line, "PP")) named_before.insert(*before);
  }
  std::vector<std::string> last;
  for (const std::string& line : programs) {
    const std::string id = tag_of(line, "ID").value_or("");
    if (!named_before.contains(id)) last.push_back(id);
  }
  if (last.empty()) last.emplace_back();
  std::vector<std::string> added;
  for (const std::string& before : last) {
    std::string id(name);
    for (std::uint64_t number = 1; names.contains(id); ++number) id = std::string(name) + "." + std::to_string(number);
    names.insert(id);
    std::string line = "@PG\tID:" + id + "\tPN:" + std::string(name);
    if (!before.empty()) line += "\tPP:" + before;
    line += "\tVN:" + std::string(version);
    if (!command.empty()) line += "\tCL:" + in_one_field(command);
    added.push_back(std::move(line));
  }
  const auto is_program = [](const std::string& line) { return is_of_kind(line, "PG"); };
  const auto behind = std::find_if(lines_.rbegin(), lines_.rend(), is_program).base();
  lines_.insert(behind == lines_.begin() ? lines_.end() : behind, added.begin(), added.end());
}

}  // namespace sortie::formats::alignments
