#include "cli/help/help_text.hpp"

#include <array>
#include <string_view>
#include <vector>

#include <sortie/version.hpp>

#include "base/manual_page.hpp"
#include "cli/help/help_content.hpp"
#include "option/option_spec.hpp"

namespace sortie::cli {
namespace {

using option::display_name;
using option::for_each_option;
using option::GroupTitle;
using option::Spec;

constexpr std::size_t kColumns = 100;
constexpr std::size_t kHelpColumn = 34;
constexpr std::size_t kMeaningColumn = 54;

std::string left_column(const Spec& option) {
  std::string text = option.short_name == '\0' ? "      " : "  ";
  text += display_name(option);
  if (option.takes_value() && !option.value_is_optional()) text += '=';
  return text.append(option.argument);
}

/// Appends `left`, then `right` from `column` on: in the next line if `left` is too long.
void append_columns(std::string& text, std::string left, std::string_view right, std::size_t column) {
  if (left.size() + 2 > column) {
    text.append(left).append("\n");
    left.clear();
  }
  text.append(left).append(column - left.size(), ' ');
  append_wrapped(text, right, kColumns, column);
}

std::vector<std::string> names_of(const Spec& option) {
  std::vector<std::string> names;
  if (option.short_name != '\0') names.push_back({'-', option.short_name});
  if (!option.long_name.empty()) names.push_back("--" + std::string(option.long_name));
  return names;
}

void add_options(ManualPage& page) {
  page.begin_section("Options");
  for (const GroupTitle& group : option::group_titles()) {
    page.begin_subsection(group.title);
    for_each_option([&](const Spec& option) { page.add_option(names_of(option), option.argument, option.help); },
                    group.group);
  }
}

constexpr std::array<std::string_view, 7> kReferences = {
    "sort", "sortie-check", "sortie-gen", "sortie-inspect", "sortie-cluster", "sortie-parquet", "sortie-prepare"};

}  // namespace

std::string help_text(std::string_view program) {
  const std::string name(program);
  std::string text = "Usage: " + name + " [OPTION]... [FILE]...\n  or:  " + name + " [OPTION]... --files0-from=F\n";
  append_wrapped(text, help_introduction(), kColumns, 0);
  text += "\nExamples:\n";
  for (const HelpExample& example : help_examples()) {
    append_columns(text, "  " + std::string(example.command), example.meaning, kMeaningColumn);
  }
  for (const GroupTitle& group : option::group_titles()) {
    text.append("\n").append(group.title).append(":\n");
    for_each_option([&](const Spec& option) { append_columns(text, left_column(option), option.help, kHelpColumn); },
                    group.group);
  }
  for (const HelpSection& section : help_sections()) {
    text.append("\n").append(section.title).append(":\n  ");
    append_wrapped(text, section.text, kColumns, 2);
  }
  return text;
}

std::string version_text() { return "sortie " SORTIE_VERSION "\n"; }

std::string manual_page() {
  ManualPage page("sortie", "sort files that are larger than memory");
  page.add_synopsis({"[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"});
  page.begin_section("Description");
  page.add_paragraph(help_introduction());
  add_options(page);
  for (const HelpSection& section : help_sections()) {
    page.begin_section(section.title);
    page.add_paragraph(section.text);
  }
  page.begin_section("Examples");
  for (const HelpExample& example : help_examples()) page.add_example(example.command, example.meaning);
  page.add_references(kReferences);
  return page.text();
}

}  // namespace sortie::cli
