// Keys of months.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "record/text/text_locale.hpp"

namespace sortie {
namespace {

TEST(MonthKey, OrdersTheMonthsBehindWhatIsNone) {
  const TextLocale locale = c_text_locale();
  std::byte before = month_key("", locale);
  for (const char* const month : {"jan", "FEB", "Mar", "aPR", "May", "jun", "jul", "Aug", "sep", "oct", "nov", "dec"}) {
    EXPECT_LT(before, month_key(month, locale)) << month;
    before = month_key(month, locale);
  }
}

TEST(MonthKey, TakesThreeLettersBehindBlanks) {
  const TextLocale locale = c_text_locale();
  EXPECT_EQ(month_key(" \t December 24", locale), month_key("DEC", locale));
  EXPECT_EQ(month_key("decx", locale), month_key("DEC", locale));
  for (const char* const text : {"", " ", "de", "xdec", "1dec", "d ec"}) {
    EXPECT_EQ(month_key(text, locale), month_key("", locale)) << text;
  }
}

/// A locale with these month names, from January on.
TextLocale with_month_names(const std::vector<std::string>& names) {
  TextLocale locale = c_text_locale();
  for (unsigned month = 0; month < locale.months.size(); ++month) locale.months[month] = {names[month], month + 1};
  std::ranges::sort(locale.months, {}, &TextLocale::Month::name);
  return locale;
}

TEST(MonthKey, TakesNamesOfTheLocale) {
  const TextLocale locale =
      with_month_names({"JAN", "FEB", "M\xc3\xa4RZ", "APR", "MAI", "JUN", "JUL", "AUG", "SEP", "OKT", "NOV", "DEZ"});
  EXPECT_EQ(month_key("m\xc3\xa4rz", locale), std::byte{0x23});
  EXPECT_EQ(month_key("mar", locale), month_key("", locale));
}

// GNU sort does the same if names are numbers after a word, for example in dz_BT.
TEST(MonthKey, TakesTheNameThatBisectionMeets) {
  const TextLocale locale =
      with_month_names({"M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10", "M11", "M12"});
  EXPECT_EQ(find_month("m10", locale).number, 10U);
  EXPECT_EQ(find_month("m12 and more", locale).number, 12U);
  EXPECT_EQ(find_month("m3", locale).number, 3U);
  EXPECT_EQ(find_month("m1", locale).number, 1U);
  EXPECT_EQ(find_month("m1x", locale).number, 0U) << "behind M12, which was looked at before";
}

}  // namespace
}  // namespace sortie
