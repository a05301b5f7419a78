#include "record/text/vcf_header.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

/// How the lines begin that name the contigs.
constexpr std::string_view kContig = "##contig=<";
constexpr std::string_view kRegion = "##sequence-region";

std::string_view take_line(std::string_view& text) {
  std::string_view line = take_until(text, '\n');
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trim_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Behind the closing quote of the text whose opening one is at `at`; the end of the line if there is none.
std::size_t end_of_quotes(std::string_view line, std::size_t at) {
  for (++at; at < line.size() && line[at] != '"'; ++at) at += line[at] == '\\' ? 1 : 0;
  return std::min(at + 1, line.size());
}

/// What a line describes: "##INFO" and "DP", or "##fileDate" and nothing. Lines with equal keys describe the same.
struct LineKey {
  std::string_view kind;
  std::string_view id;

  friend bool operator==(const LineKey&, const LineKey&) = default;
};

LineKey key_of(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return {line, {}};
  if (!line.substr(equals + 1).starts_with('<')) return {line.substr(0, equals), {}};
  const std::string_view id = vcf_attribute(line, "ID");
  return id.empty() ? LineKey{line, {}} : LineKey{line.substr(0, equals), id};
}

/// Nothing if both lines, which describe the same, may be true.
std::optional<std::string> contradiction(std::string_view line, std::string_view other) {
  const bool is_typed = line.starts_with("##INFO=<") || line.starts_with("##FORMAT=<");
  if (!is_typed && !line.starts_with(kContig)) return std::nullopt;
  constexpr std::array<std::string_view, 3> kNames = {"Type", "Number", "length"};
  for (const std::string_view name : kNames) {
    const std::string_view value = vcf_attribute(line, name);
    const std::string_view other_value = vcf_attribute(other, name);
    if (value == other_value || (!is_typed && (value.empty() || other_value.empty()))) continue;
    const auto shown = [name](std::string_view text) { return std::string(name).append("=").append(text); };
    return std::string(line.substr(0, line.find('='))) + " " + std::string(vcf_attribute(line, "ID")) + " has " +
           shown(other_value) + ", not " + shown(value);
  }
  return std::nullopt;
}

/// "##sequence-region NAME START END"
std::string_view name_of_region(std::string_view line) {
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t", kRegion.size())));
  return line.substr(0, line.find_first_of(" \t"));
}

std::vector<std::string> contigs_of(std::string_view header) {
  std::size_t count = 0;
  for (const std::string_view begin : {kContig, kRegion}) {
    for (std::size_t at = header.find(begin); at != std::string_view::npos; at = header.find(begin, at + 1)) ++count;
  }
  std::vector<std::string> names;
  names.reserve(count);  // there may be many
  while (!header.empty()) {
    const std::string_view line = take_line(header);
    const std::string_view name = line.starts_with(kContig)   ? vcf_attribute(line, "ID")
                                  : line.starts_with(kRegion) ? name_of_region(line)
                                                              : std::string_view();
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::string_view vcf_attribute(std::string_view line, std::string_view name) {
  std::size_t at = line.find('<');
  while (at < line.size()) {
    ++at;
    const std::size_t equals = line.find('=', at);
    if (equals == std::string_view::npos) return {};
    const std::size_t begin = std::min(line.find_first_not_of(' ', equals + 1), line.size());
    const bool is_quoted = begin < line.size() && line[begin] == '"';
    const std::size_t end_of_text = is_quoted ? end_of_quotes(line, begin) : begin;
    const std::size_t end = std::min(line.find_first_of(",>", end_of_text), line.size());
    if (trim_blanks(line.substr(at, equals - at)) == name) {
      const std::string_view value = trim_blanks(line.substr(begin, end - begin));
      const bool has_quotes = is_quoted && value.size() > 1 && value.ends_with('"');
      return has_quotes ? value.substr(1, value.size() - 2) : value;
    }
    at = end;
  }
  return {};
}

TextOrder with_contigs_found(TextOrder order, std::string_view header) {
  for (TextKey& key : order.keys) {
    if (key.kind != TextKind::kListed || !key.names.empty()) continue;
    key.names = contigs_of(header);
    if (key.names_are_optional && key.names.empty()) key.kind = TextKind::kVersion;
  }
  return order;
}

bool is_vcf_header(std::string_view header) { return header.starts_with("##fileformat=VCF"); }

std::size_t VcfHeader::HashOfKey::operator()(std::string_view line) const {
  const LineKey key = key_of(line);
  const std::hash<std::string_view> hash;
  return hash(key.kind) * 31 + hash(key.id);
}

bool VcfHeader::EqualKeys::operator()(std::string_view line, std::string_view other) const {
  return key_of(line) == key_of(other);
}

VcfHeader::VcfHeader(std::string_view header)
    : line_end_(header.substr(0, header.find('\n')).ends_with('\r') ? "\r\n" : "\n") {
  header = texts_.emplace_back(header);
  while (!header.empty()) {
    lines_.push_back(take_line(header));
    by_key_.insert(std::prev(lines_.end()));
  }
}

std::vector<std::string> VcfHeader::add(std::string_view header) {
  std::vector<std::string> contradictions;
  std::vector<Lines::iterator> added;
  const auto columns =
      std::find_if(lines_.begin(), lines_.end(), [](std::string_view line) { return !line.starts_with("##"); });
  std::optional<Lines::iterator> contig;  // the one that the next new one follows
  std::vector<std::string_view> first_contigs;
  std::string& text = texts_.emplace_back();
  text.reserve(header.size());  // so that lines stay where they are
  const auto add_line = [&](Lines::iterator before, std::string_view line) {
    const std::size_t begin = text.size();
    text.append(line);
    added.push_back(lines_.insert(before, std::string_view(text).substr(begin)));
    return added.back();
  };
  while (!header.empty()) {
    const std::string_view line = take_line(header);
    if (!line.starts_with("##")) continue;
    const bool is_contig = line.starts_with(kContig);
    const auto known = by_key_.find(line);
    if (known != by_key_.end()) {
      if (auto found = contradiction(**known, line)) contradictions.push_back(std::move(*found));
      if (!is_contig) continue;
      for (const std::string_view first : first_contigs) add_line(*known, first);
      first_contigs.clear();
      contig = *known;
    } else if (!is_contig) {
      add_line(columns, line);
    } else if (contig) {
      contig = add_line(std::next(*contig), line);
    } else {
      first_contigs.push_back(line);
    }
  }
  for (const std::string_view line : first_contigs) add_line(columns, line);
  by_key_.insert(added.begin(), added.end());
  has_grown_ = has_grown_ || !added.empty();
  return contradictions;
}

std::string VcfHeader::text() const {
  std::size_t bytes = 0;
  for (const std::string_view line : lines_) bytes += line.size() + line_end_.size();
  std::string text;
  text.reserve(bytes);
  for (const std::string_view line : lines_) text.append(line).append(line_end_);
  return text;
}

}  // namespace sortie
