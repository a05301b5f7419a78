// Records of BCF 2: checked, made keys of, and given the numbers of another header.
//
//   | l_shared u32 | l_indiv u32 | CHROM i32 | POS i32 | rlen i32 | QUAL f32 | n_info u16 | n_allele u16 |
//   | n_sample u24 | n_fmt u8 | ID | alleles | FILTER | INFO: number, value ... | FORMAT: number, values of all samples
//   ... |
//
// A value has its type and count in front: a byte, or with a count of 15 and more a byte and a number of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/variants/bcf_header.hpp"
#include "formats/variants/bcf_values.hpp"

namespace sortie::formats::variants {

/// Bytes of the record that begins so. Throws Error, whose text goes on behind the name of the record, for lengths that
/// no record has. Precondition: kBcfLengthBytes can be read.
std::uint64_t bcf_record_bytes(std::span<const std::byte> begin);

struct BcfPlace {
  std::int32_t contig = 0;
  std::int32_t begin = 0;
  std::int32_t bases = 0;
};

BcfPlace bcf_place(std::span<const std::byte> record);

/// Throws Error, whose text goes on behind the name of the record, unless all of its parts lie in it, and `header` has
/// all numbers that it names.
void check_bcf_record(std::span<const std::byte> record, const BcfHeader& header);

/// Appends bytes whose memcmp order is the order of records as `bcftools sort` has it: by chromosome, position, and
/// alleles in lower case, one by one. Precondition: check_bcf_record() has taken it.
void append_bcf_key(std::span<const std::byte> record, std::vector<std::byte>& key);

/// Appends the record with the numbers of another header. Precondition: check_bcf_record() has taken it.
void append_renumbered(std::span<const std::byte> record, const BcfNumbers& numbers, std::vector<std::byte>& out);

}  // namespace sortie::formats::variants
