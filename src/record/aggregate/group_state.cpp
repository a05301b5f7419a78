#include "record/aggregate/group_state.hpp"

#include <algorithm>

#include "base/release_memory.hpp"
#include "record/aggregate/decimal_integers.hpp"

namespace sortie {
namespace {

constexpr std::size_t kLongTextBytes = 4 << 10;

/// The text of the number in a value.
std::string_view number_text(std::string_view value, bool json) {
  if (json && value.starts_with('"')) return without_blanks_around(value.substr(1, value.size() - 2));
  return value;
}

/// The part of a text that is a value; empty if there is none.
std::string_view value_text(std::string_view text, const GroupShape& shape) {
  if (!shape.json) text = without_blanks_around(text);
  const std::string_view number = number_text(text, shape.json);
  const bool is_missing = (shape.json && text == "null") || shape.missing_words.contain(number);
  return is_missing ? std::string_view() : text;
}

bool is_summed(AggregateKind kind) { return kind == AggregateKind::kSum || kind == AggregateKind::kMean; }

/// Calls visit(index, text, reading) for each aggregate but counts with what it takes of a record: a text, or a number,
/// which is in `number` then. Nothing is read of a text, nor of a number that is missing. Returns the first value that
/// is none.
template <class Visit>
std::optional<RefusedValue> for_each_value(const GroupShape& shape, std::span<const std::string_view> texts,
                                           ExactDecimal& number, const Visit& visit) {
  std::optional<RefusedValue> refused;
  std::size_t next = shape.key_count;
  for (std::size_t i = 0; i < shape.aggregates.size(); ++i) {
    if (shape.aggregates[i] == AggregateKind::kCount) continue;
    std::string_view text = texts[next++];
    std::optional<ExactDecimal::Reading> reading;
    if (is_of_numbers(shape.aggregates[i])) {
      text = value_text(text, shape);
      if (!text.empty()) reading = number.read(number_text(text, shape.json));
      if (reading && *reading != ExactDecimal::Reading::kNumber && !refused) refused = {next - 1, *reading};
    }
    visit(i, text, reading);
  }
  return refused;
}

}  // namespace

std::optional<RefusedValue> write_line_state(const GroupShape& shape, std::span<const std::string_view> texts,
                                             std::uint64_t bytes, StateWriter& state) {
  state.number(1);
  state.number(bytes);
  std::uint64_t key_bytes = 0;
  for (const std::string_view text : texts.first(shape.key_count)) {
    key_bytes += StateWriter::number_bytes(text.size()) + text.size();
  }
  state.number(key_bytes);
  for (const std::string_view text : texts.first(shape.key_count)) state.text(text);
  ExactDecimal number;
  return for_each_value(shape, texts, number, [&](std::size_t i, std::string_view text, const auto& reading) {
    const AggregateKind kind = shape.aggregates[i];
    if (is_of_numbers(kind)) state.number(reading ? 1 : 0);
    if (!is_of_numbers(kind) || (reading && !is_summed(kind))) return state.value(text);
    if (reading) number.write(state);
  });
}

GroupSize size_of_group(std::string_view state) {
  StateReader reader(state);
  const std::uint64_t records = reader.number();
  return {records, reader.number()};
}

std::string_view key_text_of_group(std::string_view state, std::size_t key) {
  StateReader reader(state);
  for (int i = 0; i < 3; ++i) reader.number();
  for (; key > 0; --key) reader.text();
  return reader.text();
}

GroupState::GroupState(const GroupShape& shape) : shape_(&shape), values_(shape.aggregates.size()) {}

void GroupState::clear() {
  size_ = {};
  if (key_texts_.capacity() > kLongTextBytes) release_memory(key_texts_);
  for (Value& value : values_) value.long_text.reset();
}

// Aggregates that have the same long text share it.
void GroupState::set_text(Value& value, std::string_view text) const {
  value.long_text.reset();
  if (text.size() <= kLongTextBytes) {
    value.text.assign(text);
    return;
  }
  const auto same =
      std::ranges::find_if(values_, [&](const Value& other) { return other.long_text && *other.long_text == text; });
  value.long_text = same != values_.end() ? same->long_text : std::make_shared<const std::string>(text);
}

void GroupState::add(std::string_view state) {
  StateReader reader(state);
  const bool is_first = empty();
  const std::uint64_t records = reader.number();
  if (records == 0) StateReader::refuse();
  size_.records += records;
  size_.bytes += reader.number();
  const std::string_view key_texts = reader.text();
  if (is_first) key_texts_.assign(key_texts);
  for (std::size_t i = 0; i < values_.size(); ++i) add_value(shape_->aggregates[i], reader, values_[i], is_first);
  if (!reader.at_end()) StateReader::refuse();
}

void GroupState::add_value(AggregateKind kind, StateReader& state, Value& value, bool is_first) {
  if (kind == AggregateKind::kCount) return;
  if (!is_of_numbers(kind)) {
    const std::string_view text = state.value();
    if (is_first || kind == AggregateKind::kLast) set_text(value, text);
    return;
  }
  if (is_first) value.set_none();
  const std::uint64_t count = state.number();
  if (count == 0) return;
  std::string_view text;
  if (is_summed(kind)) {
    number_.read(state);
    value.count += count - 1;  // take_number() counts one
  } else {
    text = state.value();
    if (number_.read(number_text(text, shape_->json)) != ExactDecimal::Reading::kNumber) StateReader::refuse();
  }
  take_number(kind, text, value);
}

std::optional<RefusedValue> GroupState::add_line(std::span<const std::string_view> texts, std::uint64_t bytes) {
  const bool is_first = empty();
  if (is_first) {
    texts_.clear();
    for (const std::string_view text : texts.first(shape_->key_count)) texts_.text(text);
    key_texts_.assign(texts_.bytes());
  }
  ++size_.records;
  size_.bytes += bytes;
  return for_each_value(*shape_, texts, number_, [&](std::size_t i, std::string_view text, const auto& reading) {
    const AggregateKind kind = shape_->aggregates[i];
    if (!is_of_numbers(kind)) {
      if (is_first || kind == AggregateKind::kLast) set_text(values_[i], text);
      return;
    }
    if (is_first) values_[i].set_none();
    if (reading == ExactDecimal::Reading::kNumber) take_number(kind, text, values_[i]);
  });
}

// `number_` is the number in `text`.
void GroupState::take_number(AggregateKind kind, std::string_view text, Value& value) {
  if (is_summed(kind)) {
    ++value.count;
    value.number.add(number_);
    return;
  }
  // The first of equal numbers stays.
  const int order = value.count == 0 ? 0 : number_.compare(value.number);
  if (value.count > 0 && (kind == AggregateKind::kMin ? order >= 0 : order <= 0)) return;
  value.count = 1;
  set_text(value, text);
  std::swap(value.number, number_);
}

void GroupState::write(StateWriter& state) const {
  state.number(size_.records);
  state.number(size_.bytes);
  state.text(key_texts_);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Value& value = values_[i];
    const AggregateKind kind = shape_->aggregates[i];
    if (kind == AggregateKind::kCount) continue;
    if (is_of_numbers(kind)) {
      state.number(value.count);
      if (value.count == 0) continue;
    }
    is_summed(kind) ? value.number.write(state) : state.value(value.shown());
  }
}

std::size_t GroupState::text_bytes() const {
  std::size_t bytes = key_texts_.size();
  for (const Value& value : values_) bytes += value.shown().size();
  return bytes;
}

std::size_t GroupState::longest_text_bytes() const {
  std::size_t bytes = key_texts_.size();
  for (const Value& value : values_) bytes = std::max(bytes, value.shown().size());
  return bytes;
}

std::string_view GroupState::key_text(std::size_t key) const {
  StateReader reader(key_texts_);
  for (; key > 0; --key) reader.text();
  return reader.text();
}

bool GroupState::append_value(std::size_t aggregate, std::string& out) const {
  const Value& value = values_[aggregate];
  const AggregateKind kind = shape_->aggregates[aggregate];
  if (kind == AggregateKind::kCount) {
    append_digits(out, size_.records);
    return true;
  }
  if (is_of_numbers(kind) && value.count == 0) return false;
  if (kind == AggregateKind::kSum) {
    value.number.append_to(out);
  } else if (kind == AggregateKind::kMean) {
    value.number.append_mean_to(out, value.count);
  } else {
    out += value.shown();
  }
  return true;
}

}  // namespace sortie
