// Loads the genomes' module when a file needs it.
#pragma once

#include <string>

#include "formats/genomes_module.hpp"

namespace sortie::formats {

/// The module, loaded for good. Throws Error that names `what` needs it, "a CRAM file", and the remedy. Thread-safe.
const GenomesModule& genomes_module(const std::string& what);

}  // namespace sortie::formats
