// Checks values of enumerations, which callers may have cast from anything. Used where formats and options are
// validated.
#pragma once

#include <string>
#include <type_traits>

#include <sortie/error.hpp>

namespace sortie {

/// Throws Error if `value` is behind `last`, the last value there is. `name`: the enumeration, in words.
template <class Enumeration>
void refuse_unknown(Enumeration value, Enumeration last, const char* name) {
  if (value <= last) return;
  throw Error("there is no " + std::string(name) + " number " +
              std::to_string(static_cast<std::underlying_type_t<Enumeration>>(value)));
}

}  // namespace sortie
