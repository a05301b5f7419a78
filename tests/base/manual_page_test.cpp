#include "base/manual_page.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/version.hpp>

namespace sortie {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(ManualPage, BeginsWithVersionDayAndPurpose) {
  const ManualPage page("sortie-x", "do 'it'");
  EXPECT_EQ(page.text(), ".TH SORTIE-X 1 " SORTIE_DATE " \"sortie " SORTIE_VERSION
                         "\" \"User Commands\"\n.SH NAME\nsortie\\-x \\- do \\(aqit\\(aq\n");
}

TEST(ManualPage, MarksWhatIsToBeTypedAndWhatStandsForSomething) {
  ManualPage page("x", "");
  page.add_synopsis({"[OPTION]... FILE", "--files0-from=F"});
  EXPECT_THAT(page.text(), EndsWith(".SH SYNOPSIS\n\\fBx\\fR [\\fIOPTION\\fR]... \\fIFILE\\fR\n.br\n"
                                    "\\fBx\\fR \\fB\\-\\-files0\\-from\\fR=\\fIF\\fR\n"));
}

TEST(ManualPage, TellsNamesAndValuesOfOptions) {
  ManualPage page("x", "");
  const std::array<std::string, 2> names = {"-o", "--output"};
  page.add_option(names, "FILE", "where to");
  page.add_option(names, "[=HOW]", "how");
  page.add_option(names, "", "whether");
  EXPECT_THAT(page.text(), HasSubstr(".TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR=\\fIFILE\\fR\nwhere to\n"));
  EXPECT_THAT(page.text(), HasSubstr("\\fB\\-\\-output\\fR[=\\fIHOW\\fR]\nhow\n"));
  EXPECT_THAT(page.text(), HasSubstr("\\fB\\-\\-output\\fR\nwhether\n"));
}

/// roff would take such lines for macros.
TEST(ManualPage, HasNoTextThatBeginsWithADot) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += ".gz ";
  ManualPage page("x", "");
  page.begin_section("Files");
  page.add_paragraph(text + "'\\0'");
  std::string_view rest = page.text();
  rest.remove_prefix(rest.find(".SH FILES\n") + 10);
  EXPECT_THAT(rest, StartsWith("\\&.gz .gz"));
  EXPECT_THAT(rest, EndsWith("\\(aq\\e0\\(aq\n"));
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    EXPECT_FALSE(line.starts_with('.') || line.starts_with('\''));
    EXPECT_LE(line.size(), 80u);
    rest.remove_prefix(line.size() + 1);
  }
}

TEST(ManualPage, EndsWithReferences) {
  ManualPage page("x", "");
  constexpr std::array<std::string_view, 2> kNames = {"sort", "sortie-gen"};
  page.add_references(kNames);
  EXPECT_THAT(page.text(), EndsWith(".SH SEE ALSO\n.BR sort (1),\n.BR sortie\\-gen (1)\n"));
}

}  // namespace
}  // namespace sortie
