#include "cli/help/help_text.hpp"

#include <algorithm>
#include <string_view>

#include <sortie/version.hpp>

#include "cli/help/help_content.hpp"
#include "cli/options/option_table.hpp"

namespace sortie::cli {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kHelpColumn = 34;
constexpr std::size_t kMeaningColumn = 54;

std::string left_column(const OptionSpec& option) {
  std::string text = option.short_name == '\0' ? "      " : "  ";
  text += display_name(option);
  if (option.takes_value() && !option.value_is_optional()) text += '=';
  return text.append(option.argument);
}

/// Appends words to `text`, whose last line ends in column `indent`. Indents every further line to there.
void append_wrapped(std::string& text, std::string_view words, std::size_t indent) {
  std::size_t column = indent;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (column > indent && column + 1 + word.size() > kColumns) {
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

/// Appends `left`, then `right` from `column` on: in the next line if `left` is too long.
void append_columns(std::string& text, std::string left, std::string_view right, std::size_t column) {
  if (left.size() + 2 > column) {
    text.append(left).append("\n");
    left.clear();
  }
  text.append(left).append(column - left.size(), ' ');
  append_wrapped(text, right, column);
}

/// Escapes what roff would interpret, at the beginning of the line and within it.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '\\') {
      result += "\\e";
    } else if (character == '-') {
      result += "\\-";
    } else if ((character == '.' || character == '\'') && result.empty()) {
      result.append("\\&").append(1, character);
    } else {
      result += character;
    }
  }
  return result;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char character) {
    return character >= 'a' && character <= 'z' ? static_cast<char>(character - 'a' + 'A') : character;
  });
  return result;
}

/// "\fB\-o\fR, \fB\-\-output\fR=\fIFILE\fR"
std::string tag(const OptionSpec& option) {
  std::string text = "\\fB" + escaped(display_name(option, "\n")) + "\\fR";
  if (const std::size_t between = text.find('\n'); between != std::string::npos) {
    text.replace(between, 1, "\\fR, \\fB");
  }
  if (!option.takes_value()) return text;
  const std::string value = "\\fI" + escaped(option.value_name()) + "\\fR";
  return text + (option.value_is_optional() ? "[=" + value + "]" : "=" + value);
}

void append_paragraph(std::string& page, std::string_view macro, std::string_view text) {
  page.append(macro).append("\n").append(escaped(text)).append("\n");
}

void append_options(std::string& page) {
  page += ".SH OPTIONS\n";
  for (const OptionGroupTitle& group : option_groups()) {
    page.append(".SS ").append(group.title).append("\n");
    for (const OptionSpec& option : option_table()) {
      if (option.group != group.group) continue;
      page.append(".TP\n").append(tag(option)).append("\n").append(escaped(option.help)).append("\n");
    }
  }
}

void append_examples(std::string& page) {
  page += ".SH EXAMPLES\n";
  for (const HelpExample& example : help_examples()) {
    page.append(".TP\n\\fB").append(escaped(example.command)).append("\\fR\n");
    page.append(escaped(example.meaning)).append("\n");
  }
}

}  // namespace

std::string help_text(std::string_view program) {
  const std::string name(program);
  std::string text = "Usage: " + name + " [OPTION]... [FILE]...\n  or:  " + name + " [OPTION]... --files0-from=F\n";
  append_wrapped(text, help_introduction(), 0);
  text += "\nExamples:\n";
  for (const HelpExample& example : help_examples()) {
    append_columns(text, "  " + std::string(example.command), example.meaning, kMeaningColumn);
  }
  for (const OptionGroupTitle& group : option_groups()) {
    text.append("\n").append(group.title).append(":\n");
    for (const OptionSpec& option : option_table()) {
      if (option.group == group.group) append_columns(text, left_column(option), option.help, kHelpColumn);
    }
  }
  for (const HelpSection& section : help_sections()) {
    text.append("\n").append(section.title).append(":\n  ");
    append_wrapped(text, section.text, 2);
  }
  return text;
}

std::string version_text() { return "sortie " SORTIE_VERSION "\n"; }

std::string manual_page() {
  std::string page = ".TH SORTIE 1 \"\" \"sortie " SORTIE_VERSION
                     "\" \"User Commands\"\n"
                     ".SH NAME\nsortie \\- sort files that are larger than memory\n"
                     ".SH SYNOPSIS\n"
                     ".B sortie\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n.br\n"
                     ".B sortie\n[\\fIOPTION\\fR]... \\fB\\-\\-files0\\-from\\fR=\\fIF\\fR\n";
  append_paragraph(page, ".SH DESCRIPTION", help_introduction());
  append_examples(page);
  append_options(page);
  for (const HelpSection& section : help_sections()) {
    append_paragraph(page, ".SH " + upper_case(section.title), section.text);
  }
  page += ".SH \"SEE ALSO\"\n.BR sort (1)\n";
  return page;
}

}  // namespace sortie::cli
