// Where sorted variants go: BCF, or lines of VCF, with an index or without, as the name of the output says.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "formats/file_format.hpp"
#include "formats/variants/bcf_header.hpp"

namespace sortie::formats::variants {

class VariantOutput {
 public:
  virtual ~VariantOutput() = default;

  /// Takes records of BCF, in order. Parallel.
  virtual void write(std::span<const std::span<const std::byte>> records) = 0;
  /// Completes the output and its index, and puts them in their places.
  virtual void finish() = 0;
};

/// Throws Error for a name, or an index, that no output of variants has.
void refuse_unknown_output(const JobContext& context);

/// `header` must outlive it. Throws Error if the output, or its index, cannot be written.
std::unique_ptr<VariantOutput> make_variant_output(const JobContext& context, const BcfHeader& header);

}  // namespace sortie::formats::variants
