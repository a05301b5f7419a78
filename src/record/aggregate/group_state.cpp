#include "record/aggregate/group_state.hpp"

#include <algorithm>

#include "base/release_memory.hpp"

namespace sortie {
namespace {

constexpr std::size_t kLongTextBytes = 4 << 10;

bool is_number_kind(AggregateKind kind) {
  return kind == AggregateKind::kSum || kind == AggregateKind::kMean || kind == AggregateKind::kMin ||
         kind == AggregateKind::kMax;
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// The text of the number in a value.
std::string_view number_text(std::string_view value, bool json) {
  if (json && value.starts_with('"')) return without_blanks(value.substr(1, value.size() - 2));
  return value;
}

/// The part of a text that is a value; empty if there is none.
std::string_view value_text(std::string_view text, const GroupShape& shape) {
  if (!shape.json) text = without_blanks(text);
  const std::string_view number = number_text(text, shape.json);
  const bool is_missing = number.empty() || (shape.json && text == "null") ||
                          std::ranges::find(shape.missing_words, number) != shape.missing_words.end();
  return is_missing ? std::string_view() : text;
}

}  // namespace

std::optional<RefusedValue> write_line_state(const GroupShape& shape, std::span<const std::string_view> texts,
                                             std::uint64_t bytes, StateWriter& state) {
  std::optional<RefusedValue> refused;
  state.number(1);
  state.number(bytes);
  const auto length_bytes = [](std::uint64_t number) {
    std::size_t length = 1;
    for (; number >= 0x80; number >>= 7) ++length;
    return length;
  };
  std::uint64_t key_bytes = 0;
  for (const std::string_view text : texts.first(shape.key_count)) key_bytes += length_bytes(text.size()) + text.size();
  state.number(key_bytes);
  for (const std::string_view text : texts.first(shape.key_count)) state.text(text);
  ExactDecimal number;
  std::size_t next = shape.key_count;
  for (const AggregateKind kind : shape.aggregates) {
    if (kind == AggregateKind::kCount) continue;
    const std::string_view text = texts[next++];
    if (!is_number_kind(kind)) {
      state.value(text);
      continue;
    }
    const std::string_view value = value_text(text, shape);
    state.number(value.empty() ? 0 : 1);
    if (value.empty()) continue;
    const ExactDecimal::Reading reading = number.read(number_text(value, shape.json));
    if (reading != ExactDecimal::Reading::kNumber && !refused) refused = {next - 1, reading};
    if (kind == AggregateKind::kSum || kind == AggregateKind::kMean) {
      number.write(state);
    } else {
      state.value(value);
    }
  }
  return refused;
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
  switch (kind) {
    case AggregateKind::kCount:
      return;
    case AggregateKind::kFirst:
    case AggregateKind::kLast: {
      const std::string_view text = state.value();
      if (is_first || kind == AggregateKind::kLast) set_text(value, text);
      return;
    }
    case AggregateKind::kSum:
    case AggregateKind::kMean: {
      if (is_first) value.set_none();
      const std::uint64_t count = state.number();
      if (count == 0) return;
      value.count += count;
      number_.read(state);
      value.number.add(number_);
      return;
    }
    case AggregateKind::kMin:
    case AggregateKind::kMax: {
      if (is_first) value.set_none();
      if (state.number() == 0) return;
      const std::string_view text = state.value();
      if (number_.read(number_text(text, shape_->json)) != ExactDecimal::Reading::kNumber) StateReader::refuse();
      return take_number(kind, text, value);
    }
  }
}

std::optional<RefusedValue> GroupState::add_line(std::span<const std::string_view> texts, std::uint64_t bytes) {
  const bool is_first = empty();
  if (is_first) {
    texts_.clear();
    for (const std::string_view text : texts.first(shape_->key_count)) texts_.text(text);
    key_texts_.assign(texts_.bytes().data(), texts_.bytes().size());
  }
  ++size_.records;
  size_.bytes += bytes;
  std::optional<RefusedValue> refused;
  std::size_t next = shape_->key_count;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const AggregateKind kind = shape_->aggregates[i];
    if (kind == AggregateKind::kCount) continue;
    Value& value = values_[i];
    const std::string_view text = texts[next++];
    if (!is_number_kind(kind)) {
      if (is_first || kind == AggregateKind::kLast) set_text(value, text);
      continue;
    }
    if (is_first) value.set_none();
    const std::string_view number = value_text(text, *shape_);
    if (number.empty()) continue;
    const ExactDecimal::Reading reading = number_.read(number_text(number, shape_->json));
    if (reading == ExactDecimal::Reading::kNumber) {
      take_number(kind, number, value);
    } else if (!refused) {
      refused = {next - 1, reading};
    }
  }
  return refused;
}

// `number_` is the number in `text`.
void GroupState::take_number(AggregateKind kind, std::string_view text, Value& value) {
  if (kind == AggregateKind::kSum || kind == AggregateKind::kMean) {
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
    if (!is_number_kind(kind)) {
      state.value(value.shown());
      continue;
    }
    state.number(value.count);
    if (value.count == 0) continue;
    if (kind == AggregateKind::kSum || kind == AggregateKind::kMean) {
      value.number.write(state);
    } else {
      state.value(value.shown());
    }
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
    out += std::to_string(size_.records);
    return true;
  }
  if (is_number_kind(kind) && value.count == 0) return false;
  switch (kind) {
    case AggregateKind::kSum:
      value.number.append_to(out);
      break;
    case AggregateKind::kMean:
      value.number.append_mean_to(out, value.count);
      break;
    default:
      out += value.shown();
  }
  return true;
}

}  // namespace sortie
