#include "formats/alignments/header_merge.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "formats/alignments/byte_appends.hpp"

namespace sortie::formats::alignments {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;

/// `line` with another value of a tag that it has.
std::string with_tag(const std::string& line, std::string_view tag, const std::string& value) {
  const std::string begin = "\t" + std::string(tag) + ":";
  const std::size_t found = line.find(begin);
  if (found == std::string::npos) return line;
  const std::size_t from = found + begin.size();
  return line.substr(0, from) + value + line.substr(std::min(line.find('\t', from), line.size()));
}

/// The name of a file without its folders and what says which form it has: "lane1" of "reads/lane1.bam".
std::string group_called_as(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view suffix : {".bam", ".sam", ".cram", ".sam.gz"}) {
    if (name.size() > suffix.size() && name.ends_with(suffix)) {
      return std::string(name.substr(0, name.size() - suffix.size()));
    }
  }
  return std::string(name);
}

class HeaderMerge {
 public:
  explicit HeaderMerge(const CombinedLines& combined) : combined_(combined) {}

  /// `path`: of the file, if its name counts.
  void add(const BamHeader& file, std::string_view path) {
    const std::vector<std::string> first = file.text.lines_of("HD");
    if (!has_begin_ && !first.empty()) {
      begin_ = first.front();
      has_begin_ = true;
    }
    Translation translation;
    add_references(file, translation);
    const auto groups = combined_.groups_of_files
                            ? group_of_file(file, path, translation)
                            : renamed_lines(file, "RG", combined_.read_groups, known_groups_, translation.read_groups);
    const auto programs = renamed_lines(file, "PG", combined_.programs, known_programs_, translation.programs);
    for (const std::string& line : groups) groups_.push_back(with_new_name(line, "PG", translation.programs));
    for (const std::string& line : programs) programs_.push_back(with_new_name(line, "PP", translation.programs));
    for (const std::string& line : file.text.lines_of("CO")) comments_.push_back(line);
    ++files_;
    merged_.translations.push_back(std::move(translation));
  }

  MergedHeader finish() {
    HeaderText text;
    if (has_begin_) text.append(begin_);
    for (const auto* const lines : {&references_, &groups_, &programs_, &comments_}) {
      for (const std::string& line : *lines) text.append(line);
    }
    merged_.header.text = std::move(text);
    return std::move(merged_);
  }

 private:
  void add_references(const BamHeader& file, Translation& translation) {
    std::map<std::string, std::string> lines;
    for (const std::string& line : file.text.lines_of("SQ")) lines.emplace(tag_of(line, "SN").value_or(""), line);
    for (const Reference& reference : file.references) {
      const auto [place, is_new] =
          numbers_.emplace(reference.name, static_cast<std::int32_t>(merged_.header.references.size()));
      translation.references.push_back(place->second);
      if (!is_new) {
        note_other_length(reference, merged_.header.references[static_cast<std::size_t>(place->second)]);
        continue;
      }
      merged_.header.references.push_back(reference);
      references_.push_back(lines[reference.name]);
    }
  }

  void note_other_length(const Reference& reference, const Reference& first) {
    if (reference.length == first.length) return;
    if (merged_.other_lengths++ > 0) return;
    merged_.first_other_length = "reference " + quote_word(reference.name) + " has " + std::to_string(first.length) +
                                 " bases in one header and " + std::to_string(reference.length) + " in another";
  }

  std::vector<std::string> renamed_lines(const BamHeader& file, std::string_view kind, bool combines,
                                         std::set<std::string>& known, Names& names) const {
    std::vector<std::string> lines;
    for (const std::string& line : file.text.lines_of(kind)) {
      const std::string id = tag_of(line, "ID").value_or("");
      if (combines && known.contains(id)) {
        names.emplace(id, id);
        continue;
      }
      const std::string name = new_name(id, known);
      names.emplace(id, name);
      lines.push_back(name == id ? line : with_tag(line, "ID", name));
    }
    return lines;
  }

  std::vector<std::string> group_of_file(const BamHeader& file, std::string_view path, Translation& translation) {
    const std::string name = new_name(group_called_as(path), known_groups_);
    translation.group_of_all = name;
    const std::vector<std::string> lines = file.text.lines_of("RG");
    return {lines.empty() ? "@RG\tID:" + name : with_tag(lines.front(), "ID", name)};
  }

  /// `id`, or with the number of the file behind it if another line has that.
  std::string new_name(const std::string& id, std::set<std::string>& known) const {
    std::string name = id;
    for (std::size_t number = files_ + 1; known.contains(name); ++number) name = id + "-" + std::to_string(number);
    known.insert(name);
    return name;
  }

  static std::string with_new_name(const std::string& line, std::string_view tag, const Names& names) {
    const std::optional<std::string> name = tag_of(line, tag);
    const auto found = name ? names.find(*name) : names.end();
    return found == names.end() ? line : with_tag(line, tag, found->second);
  }

  const CombinedLines combined_;
  MergedHeader merged_;
  std::string begin_;
  bool has_begin_ = false;
  std::size_t files_ = 0;
  std::map<std::string, std::int32_t> numbers_;
  std::vector<std::string> references_;
  std::set<std::string> known_groups_;
  std::vector<std::string> groups_;
  std::set<std::string> known_programs_;
  std::vector<std::string> programs_;
  std::vector<std::string> comments_;
};

std::int32_t translated(std::int32_t reference, const Translation& translation) {
  return reference < 0 ? reference : translation.references[static_cast<std::size_t>(reference)];
}

void append_text_tag(std::string_view name, const std::string& text, std::vector<std::byte>& out) {
  append_text(name, out);
  out.push_back(std::byte{'Z'});
  append_text_and_nul(text, out);
}

}  // namespace

CombinedLines parse_combined(std::string_view word) {
  if (word == "rg") return {.read_groups = true};
  if (word == "pg") return {.programs = true};
  if (word == "both") return {.read_groups = true, .programs = true};
  if (word == "files") return {.groups_of_files = true};
  throw Error("unknown lines " + quote_word(std::string(word)) + " for --combine: known are rg, pg, both and files");
}

MergedHeader merge_headers(const std::vector<BamHeader>& headers, const CombinedLines& combined,
                           const std::vector<std::string>& paths) {
  HeaderMerge merge(combined);
  for (std::size_t i = 0; i < headers.size(); ++i) merge.add(headers[i], i < paths.size() ? paths[i] : std::string());
  return merge.finish();
}

unsigned append_translated(const AlignmentRecord& record, std::span<const std::byte> bytes,
                           const Translation& translation, std::vector<std::byte>& out) {
  const std::size_t begin = out.size();
  append_bytes(bytes.first(record.tags_offset()), out);
  store_as(out.data() + begin + 4, translated(record.reference(), translation));
  store_as(out.data() + begin + 24, translated(record.mate_reference(), translation));
  const std::optional<Tag> group = find_tag(record, "RG");
  const std::optional<Tag> program = find_tag(record, "PG");
  std::span<const std::byte> rest = record.tags();
  const auto copy_to = [&](const std::byte* end) {
    append_bytes(rest.first(static_cast<std::size_t>(end - rest.data())), out);
    rest = rest.subspan(static_cast<std::size_t>(end - rest.data()));
  };
  const bool program_is_first = group && program && program->whole.data() < group->whole.data();
  for (const auto* const tag : {program_is_first ? &program : &group, program_is_first ? &group : &program}) {
    if (!*tag) continue;
    copy_to((*tag)->whole.data());
    rest = rest.subspan((*tag)->whole.size());
  }
  append_bytes(rest, out);
  unsigned lost = 0;
  const auto append_named = [&](std::string_view name, const std::optional<Tag>& tag, const Names& names) {
    if (!tag) return;
    const auto found = tag->type == 'Z' ? names.find(tag->text()) : names.end();
    if (found == names.end()) {
      ++lost;
    } else {
      append_text_tag(name, found->second, out);
    }
  };
  if (!translation.group_of_all) append_named("RG", group, translation.read_groups);
  append_named("PG", program, translation.programs);
  if (translation.group_of_all) append_text_tag("RG", *translation.group_of_all, out);
  store_as(out.data() + begin, static_cast<std::uint32_t>(out.size() - begin - AlignmentRecord::kLengthBytes));
  return lost;
}

}  // namespace sortie::formats::alignments
