#include "base/manual_page.hpp"

#include <algorithm>

#include <sortie/version.hpp>

namespace sortie {
namespace {

constexpr std::size_t kColumns = 78;

bool is_upper(char character) { return character >= 'A' && character <= 'Z'; }

std::string upper_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char character) {
    return character >= 'a' && character <= 'z' ? static_cast<char>(character - 'a' + 'A') : character;
  });
  return result;
}

/// Escapes what roff would interpret or replace by a sign that looks better.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    switch (character) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += character;
    }
  }
  return result;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }

std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

/// Whether the character belongs to the name of an option.
bool is_of_option(char character) {
  return character == '-' || (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9');
}

/// Words in capitals stand for something, and those that begin with a dash are to be typed.
std::string marked_form(std::string_view form) {
  std::string result;
  while (!form.empty()) {
    const char first = form.front();
    const auto end = is_upper(first) ? std::ranges::find_if_not(form, is_upper)
                     : first == '-'  ? std::ranges::find_if_not(form, is_of_option)
                                     : form.begin() + 1;
    const auto length = static_cast<std::size_t>(end - form.begin());
    const std::string_view word = form.substr(0, length);
    result += is_upper(first) ? italic(word) : first == '-' ? bold(word) : escaped(word);
    form.remove_prefix(length);
  }
  return result;
}

/// "=FILE", "[=HOW]", or nothing.
std::string marked_value(std::string_view value) {
  if (value.empty()) return "";
  if (!value.starts_with('[')) return "=" + italic(value);
  return "[=" + italic(value.substr(2, value.size() - 3)) + "]";
}

}  // namespace

void append_wrapped(std::string& text, std::string_view words, std::size_t columns, std::size_t indent) {
  std::size_t column = indent;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (column > indent && column + 1 + word.size() > columns) {
      text.append("\n").append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      text += ' ';
      ++column;
    }
    text.append(word);
    column += word.size();
  }
  text += '\n';
}

ManualPage::ManualPage(std::string_view name, std::string_view purpose) : name_(name) {
  text_ = ".TH " + upper_case(name) + " 1 " SORTIE_DATE " \"sortie " SORTIE_VERSION "\" \"User Commands\"\n";
  begin_section("Name");
  text_.append(escaped(name)).append(" \\- ").append(escaped(purpose)).append("\n");
}

void ManualPage::add_synopsis(std::initializer_list<std::string_view> forms) {
  begin_section("Synopsis");
  bool is_first = true;
  for (const std::string_view form : forms) {
    if (!is_first) text_ += ".br\n";
    is_first = false;
    text_.append(bold(name_)).append(" ").append(marked_form(form)).append("\n");
  }
}

void ManualPage::begin_section(std::string_view title) {
  text_.append(".SH ").append(escaped(upper_case(title))).append("\n");
}

void ManualPage::begin_subsection(std::string_view title) { text_.append(".SS ").append(escaped(title)).append("\n"); }

void ManualPage::add_paragraph(std::string_view text) { add_words(text); }

void ManualPage::add_option(std::span<const std::string> names, std::string_view value, std::string_view text) {
  text_ += ".TP\n";
  std::string_view separator;
  for (const std::string& name : names) {
    text_.append(separator).append(bold(name));
    separator = ", ";
  }
  text_.append(marked_value(value)).append("\n");
  add_words(text);
}

void ManualPage::add_example(std::string_view command, std::string_view meaning) {
  text_.append(".TP\n").append(bold(command)).append("\n");
  add_words(meaning);
}

void ManualPage::add_references(std::span<const std::string_view> names) {
  begin_section("See also");
  for (const std::string_view& name : names) {
    const bool is_last = &name == &names.back();
    text_.append(".BR ").append(escaped(name)).append(is_last ? " (1)\n" : " (1),\n");
  }
}

/// Lines of roff are short by custom. One that begins with a dot would be a macro.
void ManualPage::add_words(std::string_view words) {
  std::string lines;
  append_wrapped(lines, escaped(words), kColumns, 0);
  for (std::size_t begin = 0; begin < lines.size(); begin = lines.find('\n', begin) + 1) {
    if (lines[begin] == '.') lines.insert(begin, "\\&");
  }
  text_ += lines;
}

}  // namespace sortie
