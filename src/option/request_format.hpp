// The format of the records that a request asks for: how they lie in files, and how they are ordered.
#pragma once

#include <optional>
#include <string>

#include <sortie/format.hpp>

#include "option/request.hpp"

namespace sortie::option {

/// In the C library's current locale. Reads the source of random bytes if the order is random. Throws Error for
/// options that do not go with the format.
Format format_of(const Request& request);

/// The seed that is given as bytes, or by a source as GNU sort takes it.
std::optional<RandomSeed> asked_seed(const Request& request);

/// Throws Error for options that name different forms of records.
void refuse_contradictory_forms(const Request& request, const Format& format);

}  // namespace sortie::option
