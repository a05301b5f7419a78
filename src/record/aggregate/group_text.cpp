#include "record/aggregate/group_text.hpp"

#include <algorithm>
#include <span>
#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {
namespace {

constexpr std::string_view kBlanks = " \t\n";

std::string name_of(AggregateKind kind, std::string_view column) {
  if (kind == AggregateKind::kCount) return to_string(kind);
  return to_string(kind).append("(").append(column).append(")");
}

std::string_view without_dot(std::string_view path) {
  if (path.size() > 1 && path.starts_with('.')) path.remove_prefix(1);
  return path;
}

/// A string of JSON, without its quotes.
std::string json_text(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x20) {
      out.append("\\u00").append(1, kDigits[code >> 4]).append(1, kDigits[code & 15]);
    } else {
      if (byte == '"' || byte == '\\') out += '\\';
      out += byte;
    }
  }
  return out;
}

bool stands_alike(const TextKey& a, const TextKey& b) {
  return a.begin == b.begin && a.end == b.end && a.column == b.column;
}

std::vector<std::size_t> shown_keys(const TextOrder& order) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < order.keys.size(); ++i) {
    const TextKey& key = order.keys[i];
    const bool is_shown_already = std::ranges::any_of(
        std::span(order.keys).first(i), [&](const TextKey& earlier) { return stands_alike(earlier, key); });
    if (!is_shown_already) shown.push_back(i);
  }
  if (shown.empty()) shown.push_back(0);  // the whole line is the key
  return shown;
}

}  // namespace

std::vector<std::string> GroupText::names_of_members(const Format& format, const Grouping& grouping) const {
  std::vector<std::string> names;
  for (const std::size_t key : shown_keys_) names.emplace_back(without_dot(format.text.keys[key].column));
  for (const Aggregate& aggregate : grouping.aggregates) {
    names.push_back(name_of(aggregate.kind, without_dot(aggregate.field.column)));
  }
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    throw Error("the objects of groups would have two members " + quote_word(*name) + ": ask for each once");
  }
  return names;
}

GroupText::GroupText(const Format& format, const Grouping& grouping, std::span<const std::string> header,
                     std::string_view line_end)
    : json_(format.text.json),
      csv_(format.text.csv),
      syntax_(syntax_of(format.text)),
      separator_(format.text.separator.empty() ? "\t" : format.text.separator),
      line_end_(line_end),
      fields_begin_with_blanks_(!json_ && !csv_ && format.text.separator.empty()),
      shown_keys_(shown_keys(format.text)),
      aggregate_count_(grouping.aggregates.size()) {
  if (json_) {
    for (const std::string& name : names_of_members(format, grouping)) {
      members_.push_back((members_.empty() ? "{\"" : ",\"") + json_text(name) + "\":");
    }
    return;
  }
  if (header.empty()) return;
  for (const std::size_t key : shown_keys_) {
    if (key > 0) header_ += separator_;
    append_field(header[key], header_);
  }
  std::size_t next = std::max<std::size_t>(1, format.text.keys.size());
  for (const Aggregate& aggregate : grouping.aggregates) {
    const std::string_view column =
        aggregate.kind == AggregateKind::kCount ? std::string_view() : shown_value(header[next++]);
    header_ += separator_;
    append_field(name_of(aggregate.kind, column), header_);
  }
  end_record(header_.empty(), header_);
}

GroupText GroupText::with_line_end(std::string_view line_end) const {
  GroupText text = *this;
  text.line_end_ = line_end;
  return text;
}

std::string_view GroupText::shown_value(std::string_view text) const {
  if (fields_begin_with_blanks_) text.remove_prefix(std::min(text.size(), text.find_first_not_of(kBlanks)));
  return text;
}

void GroupText::append_field(std::string_view text, std::string& out) const {
  if (csv_) return append_csv_field(text, syntax_, out);
  out += text;
}

void GroupText::append(const GroupState& group, std::string& out) const {
  append(group, out, [] {});
}

void GroupText::append(const GroupState& group, std::string& out, Deliver deliver) const {
  if (json_) return append_json(group, out, deliver);
  const std::size_t begin = out.size();
  bool is_empty = true;
  const auto end_field = [&] {
    is_empty = is_empty && out.size() == begin;
    deliver();
  };
  for (const std::size_t key : shown_keys_) {
    if (key > 0) out += separator_;
    append_field(group.key_text(key), out);
    end_field();
  }
  std::string text;
  for (std::size_t i = 0; i < aggregate_count_; ++i) {
    out += separator_;
    if (!csv_ && !fields_begin_with_blanks_) {
      group.append_value(i, out);
      end_field();
      continue;
    }
    text.clear();
    if (group.append_value(i, text)) append_field(shown_value(text), out);
    end_field();
  }
  end_record(is_empty, out);
}

// A record of CSV with one empty field would be an empty line, which most readers pass over.
void GroupText::end_record(bool is_empty, std::string& out) const {
  if (csv_ && syntax_.has_quotes() && is_empty) out += "\"\"";
  out += line_end_;
}

void GroupText::append_json(const GroupState& group, std::string& out, Deliver deliver) const {
  for (std::size_t i = 0; i < shown_keys_.size(); ++i) {
    out.append(members_[i]).append(group.key_text(shown_keys_[i]));
    deliver();
  }
  for (std::size_t i = 0; i < aggregate_count_; ++i) {
    out += members_[shown_keys_.size() + i];
    if (!group.append_value(i, out)) out += "null";
    deliver();
  }
  out += '}';
  out += line_end_;
}

}  // namespace sortie
