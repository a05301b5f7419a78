// Values of options that may be repeated only with the same value. Used by entries of the catalogue.
#pragma once

#include <optional>
#include <string>

#include <sortie/error.hpp>

namespace sortie::option {

/// Throws Error with the text `refusal` if `target` has another value.
inline void set_once(std::optional<std::string>& target, const std::string& value, const char* refusal) {
  if (target && *target != value) throw Error(refusal);
  target = value;
}

}  // namespace sortie::option
