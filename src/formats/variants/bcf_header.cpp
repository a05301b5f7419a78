#include "formats/variants/bcf_header.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "record/text/byte_words.hpp"
#include "record/text/vcf_header.hpp"

namespace sortie::formats::variants {
namespace {

/// Numbers that a header gives may not be sparse without bounds: names are kept by them. A header of more bytes may
/// have as large numbers as bytes.
constexpr std::size_t kMostOfShortHeader = std::size_t{1} << 16;

constexpr std::string_view kNumber = ",IDX=";

std::vector<std::int32_t> numbers_in(const BcfNames& from, const BcfNames& to, bool& are_same) {
  std::vector<std::int32_t> numbers;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto number = static_cast<std::int32_t>(to.number_of(from.name(i)).value_or(0));
    are_same = are_same && static_cast<std::size_t>(number) == i;
    numbers.push_back(number);
  }
  return numbers;
}

std::string difference_of_samples(std::string_view expected, std::string_view found) {
  for (std::size_t column = 1;; ++column) {
    const std::string_view name = take_until(expected, '\t');
    const std::string_view other = take_until(found, '\t');
    if (name == other && (!expected.empty() || !found.empty())) continue;
    return "its column " + std::to_string(column) + " is " + quote_word(other) + ", not " + quote_word(name);
  }
}

[[noreturn]] void refuse_header(const std::string& path, const std::string& other, const std::string& difference,
                                const std::string& remedy) {
  throw Error("input " + quote_path(path) + " has another header than " + quote_path(other) + ": " + difference + "; " +
              remedy);
}

}  // namespace

std::string without_numbers(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t line_bytes = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, line_bytes);
    text.remove_prefix(line_bytes);
    const std::size_t at = line.starts_with("##") ? line.rfind(kNumber) : std::string_view::npos;
    const std::size_t end =
        at == std::string_view::npos ? at : line.find_first_not_of("0123456789", at + kNumber.size());
    if (end != std::string_view::npos && (line[end] == '>' || line[end] == ',')) {
      plain.append(line.substr(0, at));
      line.remove_prefix(end);
    }
    plain.append(line);
  }
  return plain;
}

void BcfNames::add(std::string_view name, std::optional<std::size_t> number) {
  if (numbers_.contains(std::string(name))) return;
  const std::size_t at = number.value_or(names_.size());
  if (at >= names_.size()) names_.resize(at + 1);
  if (!names_[at].empty()) {
    throw Error("has a header in which " + quote_word(names_[at]) + " and " + quote_word(name) + " have the number " +
                std::to_string(at));
  }
  names_[at] = name;
  numbers_.emplace(name, at);
}

std::optional<std::size_t> BcfNames::number_of(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

BcfHeader::BcfHeader(std::string text) : text_(std::move(text)) {
  // Every header has this filter, whether a line tells of it or not.
  strings_.add("PASS", 0);
  std::string_view rest = text_;
  while (!rest.empty()) read_line(take_until(rest, '\n'));
  const std::string_view columns = line_of_samples();
  if (columns.empty()) throw Error("has a header without a line #CHROM");
  constexpr std::ptrdiff_t kColumnsInFront = 9;
  samples_ =
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, std::ranges::count(columns, '\t') + 1 - kColumnsInFront));
}

void BcfHeader::read_line(std::string_view line) {
  constexpr std::array<std::string_view, 4> kKinds = {"##contig=<", "##FILTER=<", "##INFO=<", "##FORMAT=<"};
  const auto kind = std::ranges::find_if(kKinds, [&](std::string_view begin) { return line.starts_with(begin); });
  if (kind == kKinds.end()) return;
  const std::string_view name = vcf_attribute(line, "ID");
  if (name.empty()) return;
  const auto number = whole_number<std::size_t>(vcf_attribute(line, "IDX"));
  if (number > std::max(kMostOfShortHeader, text_.size())) {
    throw Error("has a header that numbers " + quote_word(name) + " by " + std::to_string(*number));
  }
  (kind == kKinds.begin() ? contigs_ : strings_).add(name, number);
}

std::string_view BcfHeader::line_of_samples() const {
  const std::string_view text = text_;
  const std::size_t begin = text.starts_with("#CHROM") ? 0 : text.find("\n#CHROM");
  if (begin == std::string_view::npos) return {};
  std::string_view line = text.substr(begin == 0 ? 0 : begin + 1);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

BcfHeader merged_header(const std::vector<BcfHeader>& headers, const std::vector<std::string>& paths) {
  const BcfHeader& first = headers.front();
  const auto is_like_first = [&](const BcfHeader& header) { return header.text() == first.text(); };
  if (std::ranges::all_of(headers, is_like_first)) return first;
  const std::string first_text = without_numbers(first.text());
  VcfHeader merged(first_text);
  for (std::size_t i = 1; i < headers.size(); ++i) {
    if (headers[i].line_of_samples() != first.line_of_samples()) {
      refuse_header(paths[i], paths.front(),
                    difference_of_samples(first.line_of_samples(), headers[i].line_of_samples()),
                    "files of other samples are joined by 'bcftools merge'");
    }
    const std::vector<std::string> contradictions = merged.add(without_numbers(headers[i].text()));
    if (contradictions.empty()) continue;
    refuse_header(paths[i], paths.front(), contradictions.front(),
                  "correct one of the two, for example by 'bcftools reheader'");
  }
  return BcfHeader(merged.text());
}

BcfNumbers::BcfNumbers(const BcfHeader& from, const BcfHeader& to)
    : contigs(numbers_in(from.contigs(), to.contigs(), are_same)),
      strings(numbers_in(from.strings(), to.strings(), are_same)) {}

}  // namespace sortie::formats::variants
