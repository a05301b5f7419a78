// How a record gets its keys: they are made, and put in front of what the codec holds of the record.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/quote.hpp"
#include "record/csv/quote_scanner.hpp"
#include "record/prefixed/byte_stuffing.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/text/line_reference.hpp"
#include "record/text/record_codec_impl.hpp"

namespace sortie {
namespace {

/// The byte in front of keys. Their first bytes are the common ones, and left out, or less or greater than those.
constexpr std::byte kBelowCommon{'a'};
constexpr std::byte kBeginsInCommon{'b'};
constexpr std::byte kAboveCommon{'c'};

/// Bytes of a refused line in messages.
constexpr std::size_t kMostShownBytes = 40;

// Replaces the common beginning of the keys by a mark. The keys begin behind a byte at `begin`. Those that begin like
// in_common are never shorter: they have their end marks.
void leave_out_common(std::string_view in_common, std::size_t begin, EncodedLines& out) {
  std::byte* const end = out.room(0);
  std::byte* const mark = end - (out.size() - begin);
  std::byte* const keys = mark + 1;
  const auto key_bytes = static_cast<std::size_t>(end - keys);
  const int order = std::memcmp(keys, in_common.data(), std::min(key_bytes, in_common.size()));
  if (order != 0) {
    *mark = order < 0 ? kBelowCommon : kAboveCommon;
    return;
  }
  *mark = kBeginsInCommon;
  const std::size_t rest = key_bytes - in_common.size();
  std::memmove(keys, keys + in_common.size(), rest);
  out.extend_to(keys + rest);
}

}  // namespace

void RecordCodec::append_line(Record line, std::uint64_t position, EncodedLines& out) const {
  impl_->append_keys(line, position, out);
  std::byte* at = out.room(kPositionBytes + std::max(line_room(line.size()), stuffed_room(line.size()) + 1));
  at = impl_->write_position(position, at);
  switch (impl_->body) {
    case LineBody::kAll:
    case LineBody::kLine:
      std::memcpy(at, line.data(), line.size());
      return out.extend_to(at + line.size());
    case LineBody::kOfLines:
      return out.extend_to(write_as_line(line, at));
    case LineBody::kPrefixed:
      return out.extend_to(stuff_and_end(PrefixedParts(line).payload, impl_->delimiter(), at));
    case LineBody::kStuffed:
      return out.extend_to(stuff_and_end(line, impl_->delimiter(), at));
    case LineBody::kInKey:
      *at = impl_->delimiter();
      return out.extend_to(at + 1);
    case LineBody::kGroup:
      out.extend_to(at);
      return impl_->append_group_state(line, out);
  }
}

void RecordCodec::append_reference(Record line, std::uint64_t position, EncodedLines& out) const {
  const std::size_t begin = out.size();
  if (!in_common_.empty()) out.extend_to(out.room(1) + 1);
  impl_->append_keys(line, position, out);
  if (!in_common_.empty()) leave_out_common(in_common_, begin, out);
  std::byte* const at = out.room(kPositionBytes + 1);
  store_position(LineReference{position, line.size()}.position(), at);
  at[kPositionBytes] = impl_->delimiter();
  out.extend_to(at + kPositionBytes + 1);
}

std::size_t RecordCodec::append_group_head(Record line, std::uint64_t position, EncodedLines& out) const {
  const std::size_t begin = out.size();
  impl_->append_keys(line, position, out);
  const std::size_t key_bytes = out.size() - begin;
  out.extend_to(impl_->write_position(position, out.room(kPositionBytes)));
  return key_bytes;
}

void RecordCodec::Impl::append_keys(Record line, std::uint64_t position, EncodedLines& out) const {
  if (counts_quotes) count_quotes(line, out);
  if (shuffle) {
    if (!steps.empty()) {
      append_text_keys(line, out);
    } else if (lines.text.json) {
      find_values(line, out);  // keys are not of them, but they must be JSON
    }
    out.extend_to(shuffle->write(position, out.room(ShuffleKey::kBytes)));
    return out.name_line(line.data());
  }
  switch (body) {
    case LineBody::kPrefixed: {
      const Record key = PrefixedParts(line).key;
      return steps[0].write({reinterpret_cast<const char*>(key.data()), key.size()}, key.size(), out);
    }
    case LineBody::kInKey:
      return steps[0].write(text_of_line(line), line.size(), out);
    case LineBody::kStuffed:
      return append_fields(line, out);
    case LineBody::kGroup:
      return append_group_keys(line, out);
    case LineBody::kAll:
      return;
    default:
      break;
  }
  append_text_keys(line, out);
  out.name_line(line.data());
}

void RecordCodec::Impl::append_text_keys(Record line, EncodedLines& out) const {
  if (lines.text.json) {
    find_values(line, out);
    return append_value_keys(text_of_line(line), out);
  }
  const std::string_view text = text_of(line);
  if (has_other_lines && append_keys_of_other_line(text, out)) return out.name_line(line.data());
  FieldFinder::Fields fields;
  finder.find(text, fields, out.unquoted);
  lines.text.csv ? append_column_keys(fields, out) : append_field_keys(fields, out);
  if (line_writer) write_collated_key(*first_level, *line_writer, text, out);
}

void RecordCodec::Impl::append_field_keys(const FieldFinder::Fields& fields, EncodedLines& out) const {
  const char* const end = fields.line.data() + fields.line.size();
  for (const KeyStep& step : steps) {
    const std::string_view key = finder.key_text(fields, step.key());
    step.write(key, static_cast<std::size_t>(end - key.data()), out);
  }
}

bool RecordCodec::Impl::append_keys_of_other_line(std::string_view line, EncodedLines& out) const {
  const auto begins_line = [&](const std::string& prefix) { return line.starts_with(prefix); };
  if (std::ranges::any_of(lines.text.refused_prefixes, begins_line)) {
    out.refuse({.reason = "begins what cannot be ordered, " + quote_word(line.substr(0, kMostShownBytes)) +
                          ": cut it off, and sort what is in front of it"});
  } else if (!is_comment(lines.text, line)) {
    return false;
  }
  // Empty keys are less than all others. Among records that must differ, a comment is its last key.
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string_view key = unlike && i + 1 == steps.size() ? line : std::string_view();
    out.extend_to(steps[i].writer().write(key, out.room(KeyWriter::room(key.size()))));
  }
  return true;
}

void RecordCodec::Impl::append_column_keys(const FieldFinder::Fields& fields, EncodedLines& out) const {
  const char* const end = fields.line.data() + fields.line.size();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string_view key = finder.key_text(fields, steps[i].key());
    if (key.empty() && !finder.has_field(fields, steps[i].key().begin.field)) {
      if (subject(i)) out.guess(GuessKind::kLacksColumn, i, {});
      steps[i].write_lacking(out);
    } else {
      steps[i].write(key, static_cast<std::size_t>(end - key.data()), out);
    }
  }
}

void RecordCodec::Impl::find_values(Record line, EncodedLines& out) const {
  const std::string_view text = text_of_line(line);
  out.values.resize(positions.size());
  if (const JsonFault fault = json_finder.find(text, out.values); fault.is_one()) {
    out.refuse({.reason = description(fault, text)});
  }
}

void RecordCodec::Impl::append_value_keys(std::string_view text, EncodedLines& out) const {
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const JsonValue& value = out.values[i];
    steps[i].write_value(value, value.text.empty() ? 0 : static_cast<std::size_t>(end - value.text.data()), out);
  }
}

void RecordCodec::Impl::append_fields(Record record, EncodedLines& out) const {
  const std::vector<std::byte> key = field_order->normalised_key(record, record.size());
  steps[0].write({reinterpret_cast<const char*>(key.data()), key.size()}, key.size(), out);
}

}  // namespace sortie
