// What a call refuses, as its message says it.
#pragma once

#include <string>

#include <gtest/gtest.h>
#include <sortie/error.hpp>

namespace sortie::test {

/// The message of the Error that `work` throws. Fails the test if it throws none.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

}  // namespace sortie::test
