// The functions of the genomes' module: see formats/genomes_module.hpp.
#pragma once

#include <memory>

#include "formats/genomes_module.hpp"

namespace sortie::genomes {

std::unique_ptr<formats::HtsReader> open_input(const formats::HtsInput& input);
std::unique_ptr<formats::HtsWriter> write_alignments(const formats::HtsOutput& output);

}  // namespace sortie::genomes
