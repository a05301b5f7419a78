#include "record/json/json_finder.hpp"

#include <cstring>
#include <string>

#include "base/quote.hpp"
#include "record/json/json_text.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {

/// Reads one line. Each take function returns false, and has said why in `fault_`, if the line is no JSON.
class JsonScanner {
 public:
  JsonScanner(const JsonFinder& finder, std::string_view line, std::span<JsonValue> values)
      : finder_(finder), at_(line.data()), end_(at_ + line.size()), values_(values) {}

  JsonFault scan() {
    skip_blanks();
    if (take_value(&finder_.nodes_[0])) {
      skip_blanks();
      if (at_ != end_) expect("the end of the line");
    }
    return fault_;
  }

 private:
  using Node = JsonFinder::Node;

  bool expect(const char* what) {
    fault_.expected = what;
    fault_.at = at_;
    return false;
  }

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
  }

  bool take(char wanted) {
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  void set(const Node* node, JsonType type, const char* begin, const char* end, bool has_escapes = false) {
    for (const std::size_t key : node->keys) {
      values_[key] = {type, {begin, static_cast<std::size_t>(end - begin)}, has_escapes};
    }
  }

  /// Forgets what an earlier member of the same name held.
  void forget(const Node* node) {
    for (const std::size_t key : node->keys) values_[key] = {};
    for (const Node::Child& child : node->members) forget(&finder_.nodes_[child.node]);
    for (const Node::Child& child : node->elements) forget(&finder_.nodes_[child.node]);
  }

  /// `node`: what is wanted of the value; null: nothing.
  bool take_value(const Node* node) {
    if (at_ == end_) return expect("a value");
    const char* const begin = at_;
    switch (*at_) {
      case '"': {
        bool has_escapes = false;
        if (!take_string(has_escapes)) return false;
        if (node != nullptr) set(node, JsonType::kString, begin + 1, at_ - 1, has_escapes);
        return true;
      }
      case '{':
        if (!take_object(node)) return false;
        if (node != nullptr) set(node, JsonType::kObject, begin, at_);
        return true;
      case '[':
        if (!take_array(node)) return false;
        if (node != nullptr) set(node, JsonType::kArray, begin, at_);
        return true;
      case 't':
        return take_word("true", JsonType::kTrue, node);
      case 'f':
        return take_word("false", JsonType::kFalse, node);
      case 'n':
        return take_word("null", JsonType::kMissing, node);
      default:
        if (!take_number()) {
          at_ = begin;
          return expect("a value");
        }
        if (node != nullptr) set(node, JsonType::kNumber, begin, at_);
        return true;
    }
  }

  bool take_word(std::string_view word, JsonType type, const Node* node) {
    const char* const begin = at_;
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::memcmp(at_, word.data(), word.size()) != 0) {
      return expect("a value");
    }
    at_ += word.size();
    if (node != nullptr) set(node, type, begin, at_);
    return true;
  }

  bool take_digits() {
    const char* const begin = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != begin;
  }

  bool take_number() {
    take('-');
    if (!take('0') && !take_digits()) return false;
    if (take('.') && !take_digits()) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    return take_digits();
  }

  bool take_string(bool& has_escapes) {
    for (++at_;; ++at_) {
      skip_plain_text();
      if (at_ == end_) return expect("the quote that closes a string");
      if (*at_ == '"') {
        ++at_;
        return true;
      }
      if (*at_ != '\\') return expect("a character that is no control character");
      has_escapes = true;
      const std::size_t escape = escape_bytes({at_, static_cast<std::size_t>(end_ - at_)});
      if (escape == 0) return expect("an escape of JSON");
      at_ += escape - 1;
    }
  }

  /// Passes bytes that stand for themselves, and comes to a quote, a backslash, a control character or the end.
  void skip_plain_text() {
    while (end_ - at_ >= 8) {
      const std::uint64_t word = load_as<std::uint64_t>(at_);
      const std::uint64_t special = zero_bytes(word ^ every_byte('"')) | zero_bytes(word ^ every_byte('\\')) |
                                    zero_bytes(word & every_byte(0xE0));
      if (special != 0) {
        at_ += first_byte(special);
        return;
      }
      at_ += 8;
    }
    while (at_ != end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= 0x20) ++at_;
  }

  const Node* member_of(const Node* node, std::string_view name, bool has_escapes) {
    if (node == nullptr || node->members.empty()) return nullptr;
    if (has_escapes) {
      name_.clear();
      append_unescaped(name, name_);
      name = name_;
    }
    for (const Node::Child& child : node->members) {
      if (child.step.name != name) continue;
      const Node* const member = &finder_.nodes_[child.node];
      forget(member);
      return member;
    }
    return nullptr;
  }

  bool enter() {
    fault_.has_too_many_levels = ++levels_ > JsonFinder::kMostLevels;
    ++at_;
    return !fault_.has_too_many_levels;
  }

  bool take_object(const Node* node) {
    if (!enter()) return false;
    skip_blanks();
    if (!take('}')) {
      do {
        skip_blanks();
        if (at_ == end_ || *at_ != '"') return expect("the name of a member, in quotes,");
        const char* const name = at_ + 1;
        bool has_escapes = false;
        if (!take_string(has_escapes)) return false;
        const Node* const member = member_of(node, {name, static_cast<std::size_t>(at_ - 1 - name)}, has_escapes);
        skip_blanks();
        if (!take(':')) return expect("a colon");
        skip_blanks();
        if (!take_value(member)) return false;
        skip_blanks();
      } while (take(','));
      if (!take('}')) return expect("a comma or a closing brace");
    }
    --levels_;
    return true;
  }

  const Node* element_of(const Node* node, std::size_t index) const {
    if (node == nullptr) return nullptr;
    for (const Node::Child& child : node->elements) {
      if (child.step.index == index) return &finder_.nodes_[child.node];
    }
    return nullptr;
  }

  bool take_array(const Node* node) {
    if (!enter()) return false;
    skip_blanks();
    if (!take(']')) {
      std::size_t index = 0;
      do {
        skip_blanks();
        if (!take_value(element_of(node, index++))) return false;
        skip_blanks();
      } while (take(','));
      if (!take(']')) return expect("a comma or a closing bracket");
    }
    --levels_;
    return true;
  }

  const JsonFinder& finder_;
  const char* at_;
  const char* end_;
  std::span<JsonValue> values_;
  JsonFault fault_;
  unsigned levels_ = 0;
  std::string name_;  // unescaped
};

JsonFinder::JsonFinder(const TextOrder& order) : nodes_(1) {
  if (!order.json) return;
  for (std::size_t key = 0; key < order.keys.size(); ++key) {
    std::string_view text = order.keys[key].column;
    std::size_t node = 0;
    for (const JsonStep& step : take_json_path(text)) node = child_of(node, step);
    nodes_[node].keys.push_back(key);
  }
}

std::size_t JsonFinder::child_of(std::size_t node, const JsonStep& step) {
  auto& children = step.index ? nodes_[node].elements : nodes_[node].members;
  for (const Node::Child& child : children) {
    if (child.step.name == step.name && child.step.index == step.index) return child.node;
  }
  const std::size_t added = nodes_.size();
  children.push_back({step, added});
  nodes_.emplace_back();
  return added;
}

std::string_view whole_text(const JsonValue& value) {
  if (value.type == JsonType::kMissing) return "null";
  if (value.type != JsonType::kString) return value.text;
  return {value.text.data() - 1, value.text.size() + 2};
}

JsonValue value_of_text(std::string_view text) {
  switch (text.empty() ? 'n' : text.front()) {
    case '"':
      text = text.substr(1, text.size() - 2);
      return {JsonType::kString, text, text.find('\\') != std::string_view::npos};
    case 'n':
      return {};
    case 'f':
      return {JsonType::kFalse, text};
    case 't':
      return {JsonType::kTrue, text};
    case '[':
      return {JsonType::kArray, text};
    case '{':
      return {JsonType::kObject, text};
    default:
      return {JsonType::kNumber, text};
  }
}

std::string description(const JsonFault& fault, std::string_view line) {
  constexpr std::size_t kMostShown = 16;
  if (fault.has_too_many_levels) {
    return "has more than " + std::to_string(JsonFinder::kMostLevels) +
           " levels of objects and arrays: no more are read";
  }
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
    return "is no JSON: it is empty; leave out empty lines that are not at the end";
  }
  const auto at = static_cast<std::size_t>(fault.at - line.data());
  const std::string expected = std::string("is no JSON: ") + fault.expected + " was expected ";
  if (at == line.size()) return expected + "where it ends, behind byte " + std::to_string(at);
  const std::string_view rest = line.substr(at);
  const bool is_long = rest.size() > kMostShown;
  return expected + "at byte " + std::to_string(at + 1) + ", not " + quote_word(rest.substr(0, kMostShown)) +
         (is_long ? "..." : "");
}

JsonFault JsonFinder::find(std::string_view line, std::span<JsonValue> values) const {
  for (JsonValue& value : values) value = {};
  return JsonScanner(*this, line, values).scan();
}

}  // namespace sortie
