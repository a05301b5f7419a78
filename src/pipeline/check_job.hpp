// The work of check(): reads the inputs through and looks for the first record that is out of order.
#pragma once

#include <optional>

#include <sortie/sort.hpp>

#include "io/files/file.hpp"

namespace sortie {

std::optional<Disorder> find_disorder_in_inputs(FileSystem& files, const SortOptions& options);

}  // namespace sortie
