// Sorts texts with the machine's sort, the reference for the orders of their keys.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/temporary_directory.hpp"

namespace sortie::test {

/// Whether the machine's sort is GNU sort, and so a reference.
inline bool have_gnu_sort() { return std::system("sort --version 2>/dev/null | grep -q 'GNU coreutils'") == 0; }

/// The way to call GNU sort.
struct GnuSort {
  std::string options;
  std::string locale = "C";
  char delimiter = '\0';  ///< delimiter of the texts, which do not contain it: '\0' or '\n'
};

/// `texts` in the order of GNU sort. Equal keys keep their order.
inline std::vector<std::string> sorted_by(const GnuSort& gnu, const std::vector<std::string>& texts) {
  const TemporaryDirectory directory;
  std::string joined;
  for (const std::string& text : texts) joined.append(text).push_back(gnu.delimiter);
  write_whole_file(directory / "in", joined);
  const std::string command = "cd " + directory.path().string() + " && LC_ALL=" + gnu.locale + " sort -s " +
                              (gnu.delimiter == '\0' ? "-z " : "") + gnu.options + " in > out";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  const std::string out = read_whole_file(directory / "out");
  std::vector<std::string> sorted;
  for (std::size_t begin = 0; begin < out.size(); begin += sorted.back().size() + 1) {
    sorted.push_back(out.substr(begin, out.find(gnu.delimiter, begin) - begin));
  }
  return sorted;
}

/// `texts` in the order of the keys that `append_key(text, out)` makes. Equal keys keep their order.
template <class AppendKey>
std::vector<std::string> sorted_by_key(AppendKey append_key, const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> keyed;
  keyed.reserve(texts.size());
  for (const std::string& text : texts) {
    keyed.emplace_back(std::string(), text);
    append_key(text, keyed.back().first);
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> sorted;
  sorted.reserve(keyed.size());
  for (auto& [key, text] : keyed) sorted.push_back(std::move(text));
  return sorted;
}

/// Checks that keys give `texts` the order of GNU sort. Reports the first position where they do not.
template <class AppendKey>
void expect_same_order(AppendKey append_key, const GnuSort& gnu, const std::vector<std::string>& texts) {
  const std::vector<std::string> expected = sorted_by(gnu, texts);
  const std::vector<std::string> actual = sorted_by_key(append_key, texts);
  ASSERT_EQ(actual.size(), expected.size());
  const auto [a, b] = std::mismatch(actual.begin(), actual.end(), expected.begin());
  if (a == actual.end()) return;
  ADD_FAILURE() << "place " << a - actual.begin() << " of " << expected.size() << " holds "
                << testing::PrintToString(*a) << ", not " << testing::PrintToString(*b);
}

/// Texts of up to `most_parts` parts, each drawn from `parts`. If there are few parts, many texts are nearly equal.
template <class Random>
std::vector<std::string> texts_of_parts(const std::vector<std::string>& parts, std::size_t count,
                                        std::size_t most_parts, Random& random) {
  std::vector<std::string> texts(count);
  for (std::string& text : texts) {
    for (std::size_t i = random() % (most_parts + 1); i > 0; --i) text += parts[random() % parts.size()];
  }
  return texts;
}

}  // namespace sortie::test
