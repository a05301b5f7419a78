// BCF: variants in the packed form of bcftools. Records are ordered as `bcftools sort` orders them, by the chromosomes
// of the header, position and alleles. VCF is lines, which the sort of lines takes, unless a file of BCF is to be made
// of them, or they come beside BCF: then the genomes' module makes BCF of them.
#pragma once

#include <memory>
#include <string_view>

#include "formats/file_format.hpp"

namespace sortie::formats::variants {

inline constexpr std::string_view kTakes = "index merge output-level";

/// A file that is called so is one of BCF, though its begin may be damaged; and VCF that is to become BCF.
bool begins_bcf(const FileBegin& begin);

std::unique_ptr<FormatFiles> open(const JobContext& context);

}  // namespace sortie::formats::variants
