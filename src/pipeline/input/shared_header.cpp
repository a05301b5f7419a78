#include "pipeline/input/shared_header.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/byte_order_mark.hpp"
#include "base/quote.hpp"
#include "record/csv/column_names.hpp"
#include "record/csv/quoted_records.hpp"
#include "record/record_order.hpp"
#include "record/record_scan.hpp"
#include "record/text/guess_subjects.hpp"

namespace sortie {
namespace {

/// A longer text is cut in messages.
constexpr std::size_t kMostShownBytes = 40;
constexpr std::string_view kSameTogether = "sort inputs with the same header together, or ask for none";

std::string_view text_of_header(std::span<const std::byte> header) { return as_text(without_byte_order_mark(header)); }

/// Bytes of the lines at the begin of `header` that begin with one of the prefixes.
std::size_t prefixed_lines_bytes(const HeaderRule& rule, std::string_view header, char delimiter) {
  std::size_t bytes = 0;
  const auto begins_line = [&](const std::string& prefix) { return header.substr(bytes).starts_with(prefix); };
  while (bytes < header.size() && std::ranges::any_of(rule.prefixes, begins_line)) {
    bytes = std::min(header.find(delimiter, bytes), header.size() - 1) + 1;
  }
  return bytes;
}

std::string_view take_record(const Layout& layout, std::string_view& records) {
  const std::size_t bytes = first_records(layout, std::as_bytes(std::span(records)), 1);
  const std::string_view record = records.substr(0, bytes == 0 ? records.size() : bytes);
  records.remove_prefix(record.size());
  return without_line_end(record);
}

std::string_view take_text(std::string_view& rest, std::string_view separator) {
  const std::size_t end = separator.empty() ? std::string_view::npos : rest.find(separator);
  const std::string_view text = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + separator.size());
  return text;
}

std::string_view without_blanks_around(std::string_view text) {
  constexpr std::string_view kBlanksOfNames = " \t\r";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanksOfNames), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlanksOfNames) + 1);
}

/// The name of a column without what does not count: blanks around it, and quotes.
std::string_view plain_name(std::string_view name) {
  name = without_blanks_around(name);
  if (name.size() < 2 || !name.starts_with('"') || !name.ends_with('"')) return name;
  return without_blanks_around(name.substr(1, name.size() - 2));
}

std::string shown(std::string_view text) {
  return quote_word(text.substr(0, kMostShownBytes)) + (text.size() > kMostShownBytes ? " and more" : "");
}

/// "its column 2 is 'b', not 'a'". Texts are null beyond the last one.
std::string difference_of(const std::string& position, std::optional<std::string_view> other,
                          std::optional<std::string_view> text) {
  if (!other) return "it has no " + position + ", which is " + shown(*text) + " there";
  if (!text) return "it has a " + position + ", " + shown(*other) + ", that is not there";
  return "its " + position + " is " + shown(*other) + ", not " + shown(*text);
}

/// Where two lists of texts differ first; nothing if they do not.
template <class List>
std::optional<std::string> first_difference(const List& texts, const List& others, std::string_view what) {
  for (std::size_t i = 0; i < std::max(texts.size(), others.size()); ++i) {
    const auto text = i < texts.size() ? std::optional<std::string_view>(texts[i]) : std::nullopt;
    const auto other = i < others.size() ? std::optional<std::string_view>(others[i]) : std::nullopt;
    if (text != other) return difference_of(std::string(what) + " " + std::to_string(i + 1), other, text);
  }
  return std::nullopt;
}

std::vector<std::string> plain_names(std::string_view record, const CsvSyntax& syntax) {
  std::vector<std::string> names = field_values(record, syntax);
  for (std::string& name : names) name = plain_name(name);
  return names;
}

std::string_view take_line(const Layout& layout, std::string_view& lines) {
  return without_line_end(take_text(lines, std::string_view(&layout.delimiter, 1)));
}

std::vector<std::string_view> texts_between(std::string_view line, std::string_view separator) {
  std::vector<std::string_view> texts;
  while (!line.empty()) texts.push_back(take_text(line, separator));
  return texts;
}

std::string_view line_of_samples(std::string_view header) {
  const std::size_t begin = header.starts_with("#CHROM") ? 0 : header.find("\n#CHROM");
  if (begin == std::string_view::npos) return {};
  header.remove_prefix(begin == 0 ? 0 : begin + 1);
  return without_line_end(header.substr(0, header.find('\n')));
}

}  // namespace

std::uint64_t header_records(const SortOptions& options) {
  const auto is_of_name = [&](const Aggregate& aggregate) { return needs_header(aggregate.field); };
  const bool named = std::ranges::any_of(options.format.text.keys, needs_header) || !options.header_prefixes.empty() ||
                     (options.grouping && std::ranges::any_of(options.grouping->aggregates, is_of_name));
  return std::max<std::uint64_t>(options.header_lines, options.format.text.csv && named ? 1 : 0);
}

HeaderRule header_rule(const SortOptions& options) {
  const TextOrder& order = options.format.text;
  const auto is_own = [&](const TextKey& key) { return is_own_key(order, key); };
  const bool is_text = order.csv || order.json || std::ranges::any_of(order.keys, is_own);
  return {.prefixes = options.header_prefixes,
          .records = header_records(options),
          .may_be_marked = keeps_mark_in_front(options.format, options.header_prefixes),
          .is_csv = order.csv,
          .is_no_wide_text = is_text && options.format.kind == RecordKind::kLines,
          .wants_line_end = options.grouping && order.csv};
}

std::string_view header_names(const Layout& layout, const HeaderRule& rule, std::string_view header) {
  header = without_byte_order_mark(header);
  if (rule.records > 0) header.remove_prefix(prefixed_lines_bytes(rule, header, layout.delimiter));
  return header;
}

std::string header_form(const SortOptions& options, std::span<const std::byte> header) {
  const Layout layout = layout_of(options.format);
  std::string_view rest = text_of_header(header);
  std::string form;
  if (options.format.text.csv) rest = header_names(layout, header_rule(options), rest);
  while (!rest.empty()) {
    const std::string_view line = options.format.text.csv ? take_record(layout, rest) : take_line(layout, rest);
    if (!options.format.text.csv) {
      form.append(line).append("\n");
      continue;
    }
    for (const std::string& name : plain_names(line, syntax_of(options.format.text))) {
      form.append(in_csv_quotes(name)).append(",");
    }
    form.append("\n");
  }
  return form;
}

SharedHeader::SharedHeader(const SortOptions& options, const Layout& layout, const HeaderRule& rule)
    : layout_(layout), rule_(rule), csv_(options.format.text.csv), separator_(options.format.text.separator) {
  // Those of GFF and GTF.
  merges_lines_ = !options.format.text.refused_prefixes.empty();
  if (csv_) layout_.syntax = syntax_of(options.format.text);  // where no quotes have a meaning, too
}

bool SharedHeader::take(const std::string& path, std::span<const std::byte> header, bool is_empty) {
  const std::scoped_lock lock(mutex_);
  const std::string_view found = text_of_header(header);
  if (path_.empty() && is_empty) {
    bytes_.assign(header.begin(), header.end());  // a byte order mark: the header of the next input counts
  } else if (path_.empty()) {
    bytes_.assign(header.begin(), header.end());
    path_ = path;
    is_vcf_ = !csv_ && !rule_.prefixes.empty() && is_vcf_header(found);
  } else if (!found.empty()) {
    compare(path, found);
    return has_same_comments(found);
  }
  return true;
}

void SharedHeader::take_of_all(std::string_view header) {
  take("the others", std::as_bytes(std::span(header)));
  is_settled_ = true;
}

// Line ends do not count.
bool SharedHeader::has_same_comments(std::string_view header) const {
  if (!csv_ || rule_.prefixes.empty()) return true;
  const std::string_view expected = text_of_header(bytes_);
  std::string_view lines = expected.substr(0, prefixed_lines_bytes(rule_, expected, layout_.delimiter));
  std::string_view others = header.substr(0, prefixed_lines_bytes(rule_, header, layout_.delimiter));
  while (!lines.empty() && !others.empty()) {
    if (take_line(layout_, lines) != take_line(layout_, others)) return false;
  }
  return lines.empty() && others.empty();
}

bool SharedHeader::may_be_in_comment(std::span<const std::byte> header) const {
  if (!csv_ || rule_.prefixes.empty() || rule_.records == 0) return false;
  const std::string_view text = text_of_header(header);
  std::string_view records = header_names(layout_, rule_, text);
  std::string_view comments = text.substr(0, text.size() - records.size());
  std::string_view last;
  while (!comments.empty()) last = take_line(layout_, comments);
  const std::size_t fields = texts_between(last, separator_).size();
  return fields > 1 && fields == field_values(take_record(layout_, records), layout_.syntax).size();
}

void SharedHeader::take_line_end(std::string_view line_end) {
  const std::scoped_lock lock(mutex_);
  if (line_end_.empty() && !is_settled_) line_end_ = line_end;
}

void SharedHeader::settle() {
  const std::scoped_lock lock(mutex_);
  is_settled_ = true;
  if (!vcf_ && !gff_) return;
  const std::string text = vcf_ && vcf_->has_grown() ? vcf_->text() : gff_ ? gff_->text() : std::string();
  vcf_.reset();
  gff_.reset();
  if (text.empty()) return;
  const auto merged = std::as_bytes(std::span(text));
  const std::size_t mark_bytes = has_byte_order_mark(bytes_) ? kByteOrderMark.size() : 0;
  bytes_.resize(mark_bytes);
  bytes_.reserve(mark_bytes + merged.size());
  bytes_.insert(bytes_.end(), merged.begin(), merged.end());
}

void SharedHeader::compare(const std::string& path, std::string_view header) {
  const std::string_view expected = text_of_header(bytes_);
  if (header == expected) return;
  if (merges_lines_) return merge_gff(path, header);
  if (is_vcf_ && is_vcf_header(header)) return merge_vcf(path, header);
  if (expected.empty()) {
    throw Error("input " + quote_path(path) + " has a header, and " + quote_path(path_) +
                ", which comes first, has none: let one with that header come first");
  }
  if (csv_) {
    return compare_columns(path, header_names(layout_, rule_, expected), header_names(layout_, rule_, header));
  }
  compare_lines(path, expected, header);
}

// What stands in front of the samples may differ, and is merged.
void SharedHeader::merge_vcf(const std::string& path, std::string_view header) {
  if (is_settled_) return;
  const auto columns = texts_between(line_of_samples(text_of_header(bytes_)), "\t");
  const auto difference = first_difference(columns, texts_between(line_of_samples(header), "\t"), "column");
  if (difference) {
    refuse(path, *difference, "files of other samples are joined by 'bcftools merge'");
  }
  if (!vcf_) vcf_.emplace(text_of_header(bytes_));
  const std::vector<std::string> contradictions = vcf_->add(header);
  if (contradictions.empty()) return;
  refuse(path, contradictions.front(), "correct one of the two, for example by 'bcftools reheader'");
}

void SharedHeader::merge_gff(const std::string& path, std::string_view header) {
  if (is_settled_) return;
  if (!gff_) gff_.emplace(text_of_header(bytes_));
  const std::optional<std::string> contradiction = gff_->add(header);
  if (contradiction) refuse(path, *contradiction, "correct one of the two");
}

void SharedHeader::compare_columns(const std::string& path, std::string_view names,
                                   std::string_view other_names) const {
  for (std::uint64_t record = 1; !names.empty() || !other_names.empty(); ++record) {
    const std::vector<std::string> fields = plain_names(take_record(layout_, names), layout_.syntax);
    const std::vector<std::string> others = plain_names(take_record(layout_, other_names), layout_.syntax);
    const auto difference = first_difference(fields, others, "column");
    if (!difference) continue;
    refuse(path, *difference + (record == 1 ? "" : ", in record " + std::to_string(record)),
           std::string(kSameTogether));
  }
}

void SharedHeader::compare_lines(const std::string& path, std::string_view lines, std::string_view other_lines) const {
  for (std::uint64_t number = 1; !lines.empty() || !other_lines.empty(); ++number) {
    const bool is_there = !lines.empty();
    const bool is_other_there = !other_lines.empty();
    const std::string_view line = take_line(layout_, lines);
    const std::string_view other = take_line(layout_, other_lines);
    if (is_there == is_other_there && line == other) continue;
    const std::string position = "line " + std::to_string(number);
    if (is_there != is_other_there) {
      refuse(path,
             difference_of(position, is_other_there ? std::optional(other) : std::nullopt,
                           is_there ? std::optional(line) : std::nullopt),
             std::string(kSameTogether));
    }
    const auto columns = first_difference(texts_between(line, separator_), texts_between(other, separator_), "column");
    refuse(path, separator_.empty() || !columns ? difference_of(position, other, line) : *columns + ", in " + position,
           std::string(kSameTogether));
  }
}

void SharedHeader::refuse(const std::string& path, const std::string& difference, const std::string& remedy) const {
  throw Error("input " + quote_path(path) + " has another header than " + quote_path(path_) + ": " + difference + "; " +
              remedy);
}

}  // namespace sortie
