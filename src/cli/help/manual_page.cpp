#include "cli/help/manual_page.hpp"

#include <algorithm>
#include <string_view>

#include <sortie/version.hpp>

#include "cli/help/help_content.hpp"
#include "cli/options/option_table.hpp"

namespace sortie::cli {
namespace {

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
