// Shortens long loops for sanitizers, under which a turn takes ten times as long. With the variable SORTIE_TURN_STEP=N
// every Nth turn is taken, without it all of them. Which turns are taken depends on the test's name, so that tests
// that loop over the same things take different ones.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

namespace sortie::test {

/// The distance between turns that are taken, at least 1.
inline std::size_t turn_step() {
  const char* const wanted = std::getenv("SORTIE_TURN_STEP");
  return wanted == nullptr ? 1 : static_cast<std::size_t>(std::max(1, std::atoi(wanted)));
}

/// The number of the first of `turns` turns that is taken, from 0 on. Less than turn_step() and `turns`, which is not
/// 0.
inline std::size_t first_turn(std::size_t turns) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(test.test_suite_name()) + "." + test.name();
  return std::hash<std::string>()(name) % std::min(turn_step(), turns);
}

/// The elements whose turns are taken: at least one, if there are any.
template <class Range>
auto turns_of(const Range& all) {
  std::vector<typename std::iterator_traits<decltype(std::begin(all))>::value_type> taken;
  const std::size_t count = std::size(all);
  for (std::size_t i = count == 0 ? 0 : first_turn(count); i < count; i += turn_step()) {
    taken.push_back(*std::next(std::begin(all), static_cast<std::ptrdiff_t>(i)));
  }
  return taken;
}

template <class Element>
std::vector<Element> turns_of(std::initializer_list<Element> all) {
  return turns_of(std::vector<Element>(all));
}

}  // namespace sortie::test
