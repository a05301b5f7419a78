// Errors of values deep in a column do not know which column that is: whoever works on whole columns adds it. What no
// batch of any schema may have is damage; a form that only this schema does not have is not, and batch_check.cpp words
// it.
#pragma once

#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::table {

[[noreturn]] inline void refuse_damaged(const std::string& what) { throw Error(what + ": the batch is damaged"); }

/// Calls `work`, which works on one column. What Error it throws, names the column.
template <class Work>
void work_on_column(const std::string& name, const Work& work) {
  try {
    work();
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    throw Error("column " + quote_word(name) + ": " + error.what(), error.remedy());
  }
}

}  // namespace sortie::table
