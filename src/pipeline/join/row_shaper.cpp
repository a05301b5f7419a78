#include "pipeline/join/row_shaper.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/release_memory.hpp"
#include "pipeline/join/refused_record.hpp"
#include "record/csv/quoted_records.hpp"

namespace sortie {
namespace {

using Source = RowField::Source;
using StretchLength = std::uint64_t;

constexpr std::size_t kStretchLengthBytes = sizeof(StretchLength);

/// For each field, the first one that has the same text with a separator in front: itself, or an earlier one.
std::vector<std::uint32_t> first_fields(const std::vector<RowField>& fields) {
  std::array<std::vector<std::uint32_t>, 3> seen;  // of keys, left and right: by number, its field and 1
  std::vector<std::uint32_t> firsts;
  firsts.reserve(fields.size());
  for (std::uint32_t i = 0; i < fields.size(); ++i) {
    firsts.push_back(i);
    const RowField& field = fields[i];
    if (i == 0 || field.number == kNoField || field.source > Source::kRight) continue;
    std::vector<std::uint32_t>& of_source = seen[static_cast<std::size_t>(field.source)];
    if (field.number >= of_source.size()) of_source.resize(std::size_t{field.number} + 1);
    std::uint32_t& first = of_source[field.number];
    if (first == 0) first = i + 1;
    firsts.back() = first - 1;
  }
  return firsts;
}

JoinInput without_names(const JoinInput& input) { return {input.key_fields, input.field_count, {}}; }

std::vector<bool> marked(const std::vector<std::size_t>& numbers) {
  std::vector<bool> marks;
  for (const std::size_t number : numbers) {
    if (number >= marks.size()) marks.resize(number + 1);
    marks[number] = true;
  }
  return marks;
}

bool ends_in_carriage_return(const InputBegin& begin) {
  return (begin.header.empty() ? begin.first_record.value_or("") : begin.header).ends_with("\r\n");
}

}  // namespace

RowStyle style_of(const JoinOptions& options, const InputBegin& left, const InputBegin& right) {
  const Format& format = options.sort.format;
  RowStyle style;
  style.csv = format.text.csv;
  if (!format.text.separator.empty()) style.separator = format.text.separator;
  style.line_end = std::string(1, format.delimiter);
  const bool left_is_empty = left.header.empty() && !left.first_record;
  if (style.csv && ends_in_carriage_return(left_is_empty ? right : left)) style.line_end = "\r\n";
  style.syntax = syntax_of(format.text);
  if (style.csv) {
    append_csv_field(options.empty, style.syntax, style.empty);
  } else {
    style.empty = options.empty;
  }
  return style;
}

RowShaper::RowShaper(const Format& format, RowPlan plan, RowStyle style, const JoinInput& left, const JoinInput& right)
    : plan_(std::move(plan)),
      style_(std::move(style)),
      inputs_{without_names(left), without_names(right)},
      is_key_{marked(left.key_fields), marked(right.key_fields)},
      delimiter_(format.delimiter),
      splitter_(format.text) {
  cut_into_stretches();
  append_stretches(true, no_right_, [&](const RowField& field, std::size_t index, std::string& row) {
    append_field(field, index, true, {}, row);
  });
}

void RowShaper::cut_into_stretches() {
  const std::vector<std::uint32_t> firsts = first_fields(plan_.fields);
  std::vector<bool> is_repeated(firsts.size());
  for (std::size_t i = 0; i < firsts.size(); ++i) is_repeated[firsts[i]] = is_repeated[firsts[i]] || firsts[i] != i;
  std::vector<std::uint32_t> stretch_of(firsts.size());  // of fields that are repeated
  bool is_open = false;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    const bool is_of_right = plan_.fields[i].is_of_right();
    const bool stands_alone = firsts[i] != i || is_repeated[i];
    if (!is_open || stands_alone || stretches_.back().is_of_right != is_of_right)
      stretches_.push_back({is_of_right, i, i});
    stretches_.back().end = i + 1;
    is_open = !stands_alone;
    stretch_of[i] = static_cast<std::uint32_t>(stretches_.size() - 1);
    if (firsts[i] != i) stretches_.back().same = stretch_of[firsts[i]];
  }
  if (std::ranges::any_of(stretches_, [](const Stretch& stretch) { return stretch.same != kOwn; })) {
    taken_.resize(stretches_.size());
  }
}

std::string_view RowShaper::take_stretch(std::string_view& shaped) {
  StretchLength length = 0;
  std::memcpy(&length, shaped.data(), kStretchLengthBytes);
  const std::string_view stretch = shaped.substr(kStretchLengthBytes, length);
  shaped.remove_prefix(kStretchLengthBytes + length);
  return stretch;
}

void RowShaper::split(Record record, Texts& texts) const {
  std::string_view text = as_text(record);
  if (style_.csv) {
    text = without_line_end(text);
  } else if (text.ends_with(delimiter_)) {
    text.remove_suffix(1);
  }
  splitter_.split(text, texts);
}

void RowShaper::check_count(const Texts& texts, bool is_right, Record record) const {
  const std::size_t columns = inputs_[is_right ? 1 : 0].field_count;
  if (!plan_.columns_are_fixed || texts.size() <= columns) return;
  throw RefusedRecord(is_right, as_text(record),
                      "has " + std::to_string(texts.size()) + " fields, and the input " + std::to_string(columns) +
                          " columns: it would shift those behind it; say which columns to write");
}

void RowShaper::shape(Record record, bool is_right, std::string& shaped) {
  split(record, texts_);
  check_count(texts_, is_right, record);
  shaped.clear();
  append_stretches(is_right, shaped, [&](const RowField& field, std::size_t index, std::string& row) {
    append_field(field, index, is_right, texts_, row);
  });
}

void RowShaper::shape_keys_of_right(Record record, std::string& shaped) {
  split(record, texts_);
  shaped.clear();
  const std::vector<std::size_t>& keys = inputs_[1].key_fields;
  append_stretches(false, shaped, [&](const RowField& field, std::size_t index, std::string& row) {
    if (field.source != Source::kKey) return append_field(field, index, false, {}, row);
    const std::size_t number = field.number < keys.size() ? keys[field.number] : kNoField;
    append_text(number < texts_.size() ? texts_[number] : std::string_view(), index, row);
  });
}

template <class AppendField>
void RowShaper::append_stretches(bool is_right, std::string& shaped, const AppendField& append_field) const {
  for (const Stretch& stretch : stretches_) {
    if (stretch.is_of_right != is_right || stretch.same != kOwn) continue;
    const std::size_t begin = shaped.size();
    shaped.append(kStretchLengthBytes, '\0');
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) append_field(plan_.fields[i], i, shaped);
    const StretchLength length = shaped.size() - begin - kStretchLengthBytes;
    std::memcpy(shaped.data() + begin, &length, kStretchLengthBytes);
  }
}

// `texts`: those of the record on that side; none if there is no record.
void RowShaper::append_field(const RowField& field, std::size_t index, bool is_right, const Texts& texts,
                             std::string& row) const {
  if (field.source == Source::kOtherLeft || field.source == Source::kOtherRight) {
    return append_others(is_right, texts, row);
  }
  const std::size_t number = field.source == Source::kKey ? inputs_[0].key_fields[field.number] : field.number;
  append_text(number < texts.size() ? texts[number] : std::string_view(), index, row);
}

// They never come first in a row.
void RowShaper::append_others(bool is_right, const Texts& texts, std::string& row) const {
  const std::vector<bool>& is_key = is_key_[is_right ? 1 : 0];
  const std::size_t count = std::max(texts.size(), inputs_[is_right ? 1 : 0].field_count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i < is_key.size() && is_key[i]) continue;
    append_text(i < texts.size() ? texts[i] : std::string_view(), 1, row);
  }
}

void RowShaper::append_text(std::string_view text, std::size_t index, std::string& row) const {
  if (index > 0) row += style_.separator;
  const bool is_empty = text.empty() || (style_.has_quotes() && text == "\"\"");
  row += is_empty && !style_.empty.empty() ? std::string_view(style_.empty) : text;
}

std::string RowShaper::header(std::string_view left, std::string_view right) {
  if (left.empty() && right.empty()) return {};
  if (style_.csv) {
    std::string row = csv_header();
    release_memory(plan_.titles);
    release_memory(plan_.title_ends);
    return row;
  }
  std::string shaped_left;
  std::string shaped_right;
  const auto record_of = [](std::string_view header) { return Record(std::as_bytes(std::span(header))); };
  left.empty() ? shape_keys_of_right(record_of(right), shaped_left) : shape_left(record_of(left), shaped_left);
  if (right.empty()) {
    shaped_right = no_right_;
  } else {
    shape_right(record_of(right), shaped_right);
  }
  std::string row;
  append_row(shaped_left, shaped_right, [&](std::string_view text) { row += text; });
  return row;
}

std::string RowShaper::csv_header() const {
  std::string row;
  for (std::size_t i = 0; i < plan_.fields.size(); ++i) {
    if (i > 0) row += style_.separator;
    const std::size_t begin = i == 0 ? 0 : plan_.title_ends[i - 1];
    append_csv_field(plan_.titles.substr(begin, plan_.title_ends[i] - begin), style_.syntax, row);
  }
  if (row.empty() && style_.has_quotes()) row = "\"\"";
  return row + style_.line_end;
}

RowShaper make_row_shaper(const JoinOptions& options, const Format& left_format, const Format& right_format,
                          const InputBegin& left, const InputBegin& right) {
  const JoinInput left_input = describe_input(left_format, left);
  const JoinInput right_input = describe_input(right_format, right);
  return RowShaper(options.sort.format, plan_rows(options, left_input, right_input), style_of(options, left, right),
                   left_input, right_input);
}

}  // namespace sortie
