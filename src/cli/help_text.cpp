#include "cli/help_text.hpp"

#include <algorithm>

#include "cli/option_table.hpp"

namespace sortie::cli {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kHelpColumn = 34;

constexpr std::string_view kIntroduction =
    "Sort all FILEs together into one output, also where they are larger than memory. Without FILE, or\n"
    "where FILE is -, read standard input. Inputs packed with gzip, zstd or bzip2 are unpacked.\n";

constexpr std::string_view kExamples =
    "\nExamples:\n"
    "  sortie -o sorted.txt words.txt names.txt           lines of two files into one\n"
    "  sortie -u -S 2G -T /var/tmp -o out.zst in.gz       without duplicates, in 2 GiB of memory, packed\n"
    "  sortie --format=gensort -o sorted.dat big.dat      records of 100 bytes, by the first 10\n"
    "  sortie --format=fixed:24 --field=u32be@4:desc --field=f64@16 -o out in\n"
    "  sortie --format=f64 -r -o falling.bin numbers.bin  an array of doubles, largest first\n"
    "  sortie -c sorted.txt                               is it in order?\n";

constexpr std::string_view kFooter =
    "\nSIZE is a number with a unit: b (bytes), K (1024, if none is given), M, G, T, P or E; for -S also\n"
    "% of the memory of the machine. Order is that of bytes, whatever the locale.\n"
    "\nExit status: 0 if sorted or in order, 1 if a check found disorder, 2 on any trouble; the output is\n"
    "then as it was before.\n";

struct Group {
  OptionGroup group;
  std::string_view title;
};

constexpr Group kGroups[] = {
    {OptionGroup::kAction, "What to do"},   {OptionGroup::kRecords, "Records"},
    {OptionGroup::kResources, "Resources"}, {OptionGroup::kObservation, "Trust and observation"},
    {OptionGroup::kOther, "Other"},
};

std::string left_column(const OptionSpec& option) {
  std::string text = option.short_name == '\0' ? "      " : std::string("  -") + option.short_name;
  if (option.long_name.empty()) return text;
  if (option.short_name != '\0') text += ", ";
  text.append("--").append(option.long_name);
  if (option.takes_value() && !option.value_is_optional()) text += '=';
  return text.append(option.argument);
}

/// Words after `text`, which ends in column `column`, with every further line indented to kHelpColumn.
void append_wrapped(std::string& text, std::string_view words) {
  std::size_t column = kHelpColumn;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (column > kHelpColumn && column + 1 + word.size() > kColumns) {
      text.append("\n").append(kHelpColumn, ' ');
      column = kHelpColumn;
    } else if (column > kHelpColumn) {
      text += ' ';
      ++column;
    }
    text.append(word);
    column += word.size();
  }
  text += '\n';
}

void append_option(std::string& text, const OptionSpec& option) {
  std::string left = left_column(option);
  if (left.size() + 2 > kHelpColumn) {
    text.append(left).append("\n");
    left.clear();
  }
  text.append(left).append(kHelpColumn - left.size(), ' ');
  append_wrapped(text, option.help);
}

void append_options_not_built(std::string& text) {
  std::string names;
  for (const OptionSpec& option : option_table()) {
    if (option.group != OptionGroup::kNotBuilt) continue;
    names.append(names.empty() ? "" : " ");
    names.append(option.short_name != '\0' ? std::string{'-', option.short_name} : display_name(option));
  }
  text.append("\nNot built yet, and refused: ");
  text.append(names, 0, names.find(" --")).append("\n ").append(names, names.find(" --")).append("\n");
}

}  // namespace

std::string help_text(std::string_view program) {
  std::string text = "Usage: " + std::string(program) + " [OPTION]... [FILE]...\n";
  text.append(kIntroduction).append(kExamples);
  for (const Group& group : kGroups) {
    text.append("\n").append(group.title).append(":\n");
    for (const OptionSpec& option : option_table()) {
      if (option.group == group.group) append_option(text, option);
    }
  }
  text.append(kFooter);
  append_options_not_built(text);
  return text;
}

std::string version_text() { return "sortie " SORTIE_VERSION "\n"; }

}  // namespace sortie::cli
