// Records of BCF as lines of VCF, byte for byte as `bcftools view` writes them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "formats/variants/bcf_header.hpp"

namespace sortie::formats::variants {

/// The header as VCF has it: without the numbers of names.
std::string vcf_header_of(const BcfHeader& header);

/// Appends the line of a record. Precondition: check_bcf_record() has taken it.
void append_vcf_line(std::span<const std::byte> record, const BcfHeader& header, std::string& line);

/// Appends a number with up to six digits that count, as htslib writes those of VCF.
void append_vcf_number(float number, std::string& line);

}  // namespace sortie::formats::variants
