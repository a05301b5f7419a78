#include "record/text/gff_header.hpp"

#include "base/quote.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

std::string_view take_line_of_header(std::string_view& text) {
  std::string_view line = take_until(text, '\n');
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// What a line tells of: "##gff-version", "##sequence-region chr1", or the line itself.
std::string_view subject_of(std::string_view line) {
  constexpr std::string_view kVersion = "##gff-version";
  constexpr std::string_view kRegion = "##sequence-region";
  const auto begins_with = [&](std::string_view directive) {
    return line.starts_with(directive) && line.substr(directive.size()).find_first_of(" \t") == 0;
  };
  if (begins_with(kVersion)) return kVersion;
  if (!begins_with(kRegion)) return line;
  const std::size_t name = line.find_first_not_of(" \t", kRegion.size());
  return name == std::string_view::npos ? line : line.substr(0, line.find_first_of(" \t", name));
}

}  // namespace

GffHeader::GffHeader(std::string_view header)
    : line_end_(header.substr(0, header.find('\n')).ends_with('\r') ? "\r\n" : "\n") {
  header = texts_.emplace_back(header);
  while (!header.empty()) {
    lines_.push_back(take_line_of_header(header));
    by_subject_.try_emplace(subject_of(lines_.back()), lines_.back());
  }
}

std::optional<std::string> GffHeader::add(std::string_view header) {
  std::optional<std::string> contradiction;
  while (!header.empty()) {
    const std::string_view line = take_line_of_header(header);
    const auto known = by_subject_.find(subject_of(line));
    if (known == by_subject_.end()) {
      lines_.push_back(texts_.emplace_back(line));
      by_subject_.emplace(subject_of(lines_.back()), lines_.back());
    } else if (known->second != line && !contradiction) {
      contradiction = "it has " + quote_word(line) + ", not " + quote_word(known->second);
    }
  }
  return contradiction;
}

std::string GffHeader::text() const {
  std::string text;
  for (const std::string_view line : lines_) text.append(line).append(line_end_);
  return text;
}

}  // namespace sortie
