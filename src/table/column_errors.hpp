// Errors of values deep in a column say which column that is. Whoever works on whole columns adds it.
#pragma once

#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::table {

/// Calls `work`, which works on one column and asks for no stop. What Error it throws, names the column.
template <class Work>
void work_on_column(const std::string& name, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error("column " + quote_word(name) + ": " + error.what(), error.remedy());
  }
}

}  // namespace sortie::table
