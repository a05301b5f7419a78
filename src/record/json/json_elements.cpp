#include "record/json/json_elements.hpp"

#include <algorithm>
#include <utility>

#include "base/byte_order_mark.hpp"

namespace sortie {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_blank(char byte) { return kBlanks.find(byte) != std::string_view::npos; }

std::string_view behind_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

struct ArrayOnLine {
  std::size_t bytes = 0;        ///< 0: it is not closed
  bool goes_on_behind = false;  ///< the line ends before the array does
};

/// How many bytes the array has that `text` begins with; nothing if it does not end on its line, or in `text`.
ArrayOnLine array_on_line(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '\n') return {0, true};
    if (in_string) {
      if (byte == '\\') ++i;
      in_string = byte != '"';
    } else if (byte == '"') {
      in_string = true;
    } else if (byte == '[' || byte == '{') {
      ++depth;
    } else if ((byte == ']' || byte == '}') && --depth == 0) {
      return {i + 1, false};
    }
  }
  return {};
}

}  // namespace

JsonShape json_shape(std::string_view text, bool is_all, bool keys_index) {
  text = behind_blanks(without_byte_order_mark(text));
  if (text.empty()) return is_all ? JsonShape::kLines : JsonShape::kUnknown;
  if (text.front() != '[') return JsonShape::kLines;
  const ArrayOnLine array = array_on_line(text);
  if (array.goes_on_behind) return JsonShape::kArray;
  if (array.bytes == 0) return is_all ? JsonShape::kArray : JsonShape::kUnknown;
  if (!behind_blanks(text.substr(array.bytes)).empty()) return JsonShape::kLines;
  if (!is_all) return JsonShape::kUnknown;
  const std::string_view first = behind_blanks(text.substr(1));
  return keys_index && !first.starts_with('[') ? JsonShape::kLines : JsonShape::kArray;
}

bool JsonElements::take(std::string_view text, std::string& out) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (state_ == State::kInString) {
      // Most bytes of strings stand for themselves.
      const std::size_t begin = at;
      while (at < text.size() && text[at] != '"' && text[at] != '\\' && static_cast<unsigned char>(text[at]) >= 0x20) {
        ++at;
      }
      out.append(text.substr(begin, at - begin));
      if (at == text.size()) return true;
    }
    if (!take_one(text[at], out)) return false;
    if (text[at] == '\n') ++line_;
  }
  return true;
}

bool JsonElements::take_one(char byte, std::string& out) {
  switch (state_) {
    case State::kBeforeArray:
      if (byte == '[') state_ = State::kBeforeFirst;
      return byte == '[' || is_blank(byte) || refuse("is no JSON: an array was expected");
    case State::kBeforeFirst:
    case State::kBeforeElement:
      return is_blank(byte) || begin_element(byte, out);
    case State::kInElement:
      return take_in_element(byte, out);
    case State::kInString:
      if (byte == '\n' || byte == '\r') return refuse("ends within a string: its closing quote is missing");
      if (byte == '"') state_ = State::kInElement;
      if (byte == '\\') state_ = State::kInEscape;
      out += last_ = byte;
      return true;
    case State::kInEscape:
      if (byte == '\n' || byte == '\r') return refuse("ends within a string: its closing quote is missing");
      state_ = State::kInString;
      out += byte;
      return true;
    case State::kBehindArray:
      break;
  }
  return is_blank(byte) || refuse("has more behind the end of the array: one array is the whole document");
}

bool JsonElements::begin_element(char byte, std::string& out) {
  if (byte == ']' && state_ == State::kBeforeFirst) {
    state_ = State::kBehindArray;
    return true;
  }
  if (byte == ']' || byte == '}' || byte == ',' || byte == ':') {
    std::string why = "has '";
    why += byte;
    return refuse(why += "' where an element of the array was expected");
  }
  state_ = State::kInElement;
  last_ = 0;
  return take_in_element(byte, out);
}

bool JsonElements::take_in_element(char byte, std::string& out) {
  if (is_blank(byte)) {
    hold(byte);
    return true;
  }
  if (depth_ == 0 && (byte == ',' || byte == ']')) {
    held_.clear();
    is_shortened_ = false;
    out += '\n';
    state_ = byte == ',' ? State::kBeforeElement : State::kBehindArray;
    return true;
  }
  append_held(byte, out);
  if (byte == '"') state_ = State::kInString;
  if (byte == '[' || byte == '{') ++depth_;
  if ((byte == ']' || byte == '}') && depth_ > 0) --depth_;
  out += last_ = byte;
  return true;
}

void JsonElements::hold(char blank) {
  is_shortened_ = is_shortened_ || blank == '\n' || blank == '\r' || held_.size() == kMostHeldBytes - 1;
  if (!is_shortened_) held_ += blank;
}

void JsonElements::append_held(char next, std::string& out) {
  if (is_shortened_) {
    const bool is_at_bracket = last_ == '[' || last_ == '{' || next == ']' || next == '}' || next == ',';
    if (!is_at_bracket) out += ' ';
  } else {
    out += held_;
  }
  held_.clear();
  is_shortened_ = false;
}

bool JsonElements::finish() {
  if (state_ == State::kBehindArray) return true;
  return refuse("ends, and the array of the document does not: is it cut short?");
}

bool JsonElements::refuse(std::string fault) {
  fault_ = std::move(fault);
  return false;
}

}  // namespace sortie
