// BCF: variants in the packed form of bcftools. Records are ordered as `bcftools sort` orders them, by the chromosomes
// of the header, position and alleles. VCF is lines, which the sort of lines takes.
#pragma once

#include <memory>
#include <string_view>

#include "formats/file_format.hpp"

namespace sortie::formats::variants {

inline constexpr std::string_view kTakes = "index merge output-level";

/// A file that is called so is one of BCF, though its begin may be damaged.
bool begins_bcf(const FileBegin& begin);

std::unique_ptr<FormatFiles> open(const JobContext& context);

}  // namespace sortie::formats::variants
