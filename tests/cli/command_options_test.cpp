// The catalogue of options has many readers. Tests that each of those of the command knows all its options.
#include "option/option_spec.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "cli/command_line_support.hpp"
#include "cli/help/help_content.hpp"
#include "cli/help/help_text.hpp"
#include "cli/options/command_line.hpp"
#include "option/door.hpp"
#include "record/time/time_pattern.hpp"

namespace sortie::cli {
namespace {

using option::display_name;
using option::Spec;
using testing::HasSubstr;

std::vector<Spec> options_of_command() {
  std::vector<Spec> specs;
  option::for_each_option([&](const Spec& spec) { specs.push_back(spec); });
  return specs;
}

std::string without(std::string text, char character) {
  std::erase(text, character);
  return text;
}

/// A manual page in one line, without what roff needs to show text as it is.
std::string plain(std::string page) {
  constexpr std::string_view kQuote = "\\(aq";
  for (std::size_t position; (position = page.find(kQuote)) != std::string::npos;)
    page.replace(position, kQuote.size(), "'");
  std::ranges::replace(page, '\n', ' ');
  return without(std::move(page), '\\');
}

TEST(OptionsOfTheCommand, NamesEveryOptionOnce) {
  std::set<std::string> names;
  for (const Spec& option : options_of_command()) {
    for (const std::string& name : {std::string(1, option.short_name), std::string(option.long_name)}) {
      if (name.empty() || name.front() == '\0') continue;
      EXPECT_TRUE(names.insert(name).second) << name;
    }
  }
}

TEST(OptionsOfTheCommand, HasEveryOptionOfGnuSort) {
  std::string letters;
  for (const Spec& option : options_of_command()) {
    if (option.origin == option::Origin::kGnu && option.short_name != '\0') letters += option.short_name;
  }
  std::sort(letters.begin(), letters.end());
  EXPECT_EQ(letters, "CMRSTVbcdfghikmnorstuz");
}

TEST(OptionsOfTheCommand, SaysTheMainThingBriefly) {
  for (const Spec& option : options_of_command()) {
    EXPECT_GE(option.brief().size(), 8u) << display_name(option);
    EXPECT_LE(option.brief().size(), 80u) << display_name(option);
  }
}

TEST(OptionsOfTheCommand, IsInTheHelpTextAsAWhole) {
  const std::string text = help_text("sortie");
  for (const Spec& option : options_of_command()) EXPECT_THAT(text, HasSubstr(display_name(option)));
}

TEST(OptionsOfTheCommand, IsInTheManualPageAsAWhole) {
  const std::string page = plain(manual_page());
  for (const Spec& option : options_of_command()) {
    EXPECT_THAT(page, HasSubstr("fB" + display_name(option, "fR, fB") + "fR"));
    EXPECT_THAT(page, HasSubstr(without(std::string(option.help), '\\').substr(0, 40)));
  }
}

TEST(OptionsOfTheCommand, IsInTheCompletionsAsAWhole) {
  const std::string bash = bash_completion();
  const std::string zsh = zsh_completion();
  const std::string fish = fish_completion();
  for (const Spec& option : options_of_command()) {
    EXPECT_THAT(bash, HasSubstr(display_name(option, " ")));
    if (option.short_name != '\0') {
      EXPECT_THAT(zsh, HasSubstr(std::string("'*-") + option.short_name));
      EXPECT_THAT(fish, HasSubstr(std::string(" -s ") + option.short_name + " "));
    }
    if (!option.long_name.empty()) {
      EXPECT_THAT(zsh, HasSubstr("'*--" + std::string(option.long_name)));
      EXPECT_THAT(fish, HasSubstr(" -l " + std::string(option.long_name) + " "));
    }
  }
}

std::vector<std::string> with_what_it_needs(const std::string& word, std::string_view option) {
  if (option == "chromosomes") return {word, "--vcf"};
  if (option == "quote") return {word, "--csv"};
  if (option == "join") return {word, "left", "right"};
  if (option == "side") return {word, "--join=inner", "-k1,1", "--form=shard", "left"};
  return {word, "-u"};  // as --keep=last does
}

/// A shell must not offer values that the parser refuses. A word that ends in ':' is the beginning of a value.
TEST(OptionsOfTheCommand, OffersOnlyValuesThatTheParserTakes) {
  for (const Spec& option : options_of_command()) {
    if (option.values == "FILE" || option.values == "DIR") continue;
    std::string_view rest = option.values;
    while (!rest.empty()) {
      std::string value(rest.substr(0, rest.find(' ')));
      rest.remove_prefix(std::min(rest.size(), value.size() + 1));
      if (value.ends_with(':')) value += "8";
      const std::string word = "--" + std::string(option.long_name) + "=" + value;
      EXPECT_NO_THROW(parse_command_line(with_what_it_needs(word, option.long_name), "sortie")) << word;
    }
  }
}

/// The parser knows every option, with a value if it needs one.
TEST(OptionsOfTheCommand, IsParsedAsAWhole) {
  for (const Spec& option : options_of_command()) {
    const std::string name =
        option.long_name.empty() ? std::string{'-', option.short_name} : "--" + std::string(option.long_name);
    test::Words words = {name};
    if (option.takes_value() && !option.value_is_optional()) words.emplace_back("1");
    try {
      parse_command_line(words, "sortie");
    } catch (const option::UsageError& error) {
      EXPECT_THAT(error.what(), Not(HasSubstr("unrecognized"))) << name;
      EXPECT_THAT(error.what(), Not(HasSubstr("invalid option"))) << name;
    } catch (const Error&) {
      // Not every option takes "1" as a value.
    }
  }
}

TEST(HelpContent, ListsAllLettersOfTimes) {
  const auto times = std::ranges::find(help_sections(), "Times", &HelpSection::title);
  ASSERT_NE(times, help_sections().end());
  EXPECT_THAT(std::string(times->text), HasSubstr(known_pattern_letters()));
}

}  // namespace
}  // namespace sortie::cli
