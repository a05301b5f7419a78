// What the record codec knows of lines that are grouped: how a line becomes the state of its group.
#include <algorithm>
#include <cassert>

#include "base/quote.hpp"
#include "record/prefixed/byte_stuffing.hpp"
#include "record/text/line_reference.hpp"
#include "record/text/record_codec_impl.hpp"

namespace sortie {
namespace {

/// A longer text is cut in messages.
constexpr std::size_t kMostShown = 40;

std::span<const std::byte> bytes_of(const StateWriter& state) { return std::as_bytes(std::span(state.bytes())); }

/// All of the fields that a key is a part of.
TextKey of_whole_fields(TextKey key, bool begins_with_blanks) {
  if (key.begin.byte > 0) key.begin.skip_blanks = begins_with_blanks;
  key.begin.byte = 0;
  if (key.end && key.end->byte > 0) key.end = TextPosition{.field = key.end->field + 1};
  return key;
}

}  // namespace

void RecordCodec::Impl::append_group_keys(Record line, EncodedLines& out) const {
  out.group_texts.clear();
  if (lines.text.json) {
    find_values(line, out);
    append_value_keys(text_of_line(line), out);
    for (const JsonValue& value : out.values) out.group_texts.push_back(whole_text(value));
    return count_empty_aggregates(out);
  }
  FieldFinder::Fields fields;
  finder.find(text_of_line(line), fields, out.unquoted);
  for (const TextKey& position : positions) out.group_texts.push_back(finder.key_text(fields, position));
  if (lines.text.csv) {
    append_column_keys(fields, out);
  } else {
    const char* const end = fields.line.data() + fields.line.size();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string_view text = out.group_texts[i];
      steps[i].write(text, static_cast<std::size_t>(end - text.data()), out);
    }
  }
  count_empty_aggregates(out);
}

void RecordCodec::Impl::count_empty_aggregates(EncodedLines& out) const {
  for (std::size_t text = steps.size(); text < out.group_texts.size(); ++text) {
    const std::string_view value = out.group_texts[text];
    if ((lines.text.json ? value == "null" : value.empty()) && subject(text))
      out.guess(GuessKind::kEmptyAggregate, text, {});
  }
}

std::string RecordCodec::Impl::complaint_of(const RefusedValue& refused, std::string_view text) const {
  const TextKey& position = positions[refused.text];
  const std::string where =
      position.column.empty() ? "field " + std::to_string(position.begin.field + 1) : quote_word(position.column);
  const std::string shown = quote_word(text.substr(0, kMostShown)) + (text.size() > kMostShown ? " and more" : "");
  if (refused.reading == ExactDecimal::Reading::kTooLong) {
    return "has " + shown + " as " + where + ": a number of more than " + std::to_string(ExactDecimal::kMostDigits) +
           " digits in front of its decimal point or behind it";
  }
  return "has " + shown + " as " + where + ", which is no decimal number: leave the line out, or aggregate another one";
}

void RecordCodec::Impl::report_refused(const std::optional<RefusedValue>& refused, Record line,
                                       EncodedLines& out) const {
  if (refused) out.refuse({.reason = complaint_of(*refused, out.group_texts[refused->text])});
  out.name_line(line.data());
}

void RecordCodec::Impl::append_group_state(Record line, EncodedLines& out) const {
  out.state.clear();
  report_refused(write_line_state(*group, out.group_texts, line.size(), out.state), line, out);
  append_state(out);
}

void RecordCodec::Impl::append_state(EncodedLines& out) const {
  std::byte* const begin = out.room(stuffed_room(out.state.bytes().size()) + 1);
  out.extend_to(stuff_and_end(bytes_of(out.state), delimiter(), begin));
}

void RecordCodec::append_line_state(Record line, EncodedLines& out) const { impl_->append_group_state(line, out); }

void RecordCodec::add_line(Record line, GroupState& state, EncodedLines& out) const {
  impl_->report_refused(state.add_line(out.group_texts, line.size()), line, out);
}

void RecordCodec::append_group(Record head, const GroupState& state, EncodedLines& out) const {
  out.extend_to(std::ranges::copy(head, out.room(head.size())).out);
  out.state.clear();
  state.write(out.state);
  impl_->append_state(out);
}

void RecordCodec::encode_group(std::string_view key_texts, EncodedLines& out) const {
  out.group_texts.clear();
  StateReader reader(key_texts);
  for (const KeyStep& step : impl_->steps) {
    const std::string_view text = out.group_texts.emplace_back(reader.text());
    if (impl_->lines.text.json) {
      const JsonValue value = value_of_text(text);
      step.write_value(value, value.text.size(), out);
    } else {
      step.write(text, text.size(), out);
    }
  }
  out.extend_to(impl_->write_position(0, out.room(kPositionBytes)));
  impl_->append_group_state({}, out);
}

const GroupShape* RecordCodec::group_shape() const { return impl_->group ? &*impl_->group : nullptr; }

// A state without the delimiter is one stretch: it need not be copied.
std::string_view RecordCodec::group_state(Record encoded, std::vector<std::byte>& scratch) const {
  assert(impl_->group);
  const Record body = encoded.subspan(bytes_before_line(encoded));
  const Record stuffed = body.first(body.size() - 1);
  if (is_one_stretch(stuffed, impl_->delimiter())) return as_text(stuffed.subspan(1));
  scratch.assign(stuffed.begin(), stuffed.end());
  return as_text(unstuff(scratch, impl_->delimiter()));
}

void RecordCodec::put_group_state(Record encoded, const StateWriter& state, std::vector<std::byte>& out) const {
  const Record head = encoded.first(bytes_before_line(encoded));
  out.resize(head.size() + stuffed_room(state.bytes().size()) + 1);
  std::byte* const begin = std::ranges::copy(head, out.data()).out;
  out.resize(static_cast<std::size_t>(stuff_and_end(bytes_of(state), impl_->delimiter(), begin) - out.data()));
}

std::size_t RecordCodec::grouped_bytes(Record encoded) const {
  std::vector<std::byte> scratch;
  return static_cast<std::size_t>(size_of_group(group_state(encoded, scratch)).bytes);
}

std::vector<std::string> RecordCodec::names_of_groups(std::string_view header) const {
  TextOrder order = impl_->lines.text;
  order.keys.clear();
  for (const TextKey& position : impl_->positions)
    order.keys.push_back(of_whole_fields(position, order.separator.empty()));
  const FieldFinder finder(order, impl_->surroundings.locale);
  FieldFinder::Fields fields;
  UnquotedRecord unquoted;
  finder.find(header, fields, unquoted);
  std::vector<std::string> names;
  for (const TextKey& position : order.keys) names.emplace_back(finder.key_text(fields, position));
  return names;
}

}  // namespace sortie
