// What is wrong with the keys of a table, told apart from what is wrong with its rows: Python makes a ValueError of it.
#pragma once

#include <sortie/error.hpp>

namespace sortie::table {

/// A key that names no column or field, or several of them.
class KeyError : public Error {
 public:
  using Error::Error;
};

}  // namespace sortie::table
