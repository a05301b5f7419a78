#include "formats/registry.hpp"

#include <algorithm>
#include <array>

#include "formats/alignments/alignment_format.hpp"
#include "formats/alignments/bam_stretch.hpp"
#include "formats/tar/tar_format.hpp"
#include "formats/tokens/token_formats.hpp"
#include "formats/variants/variant_format.hpp"

namespace sortie::formats {

std::span<const FileFormat> registry() {
  // The first whose begin fits is taken.
  static const std::array formats = std::to_array<FileFormat>({
      {.name = "bam",
       .takes = alignments::kTakes,
       .begins = &alignments::begins_bam,
       .open = &alignments::open,
       .divides_files = true,
       .search_bytes = alignments::kMostSearchedBytes,
       .suffix = ".bam"},
      {.name = "cram",
       .takes = alignments::kTakes,
       .begins = &alignments::begins_cram,
       .open = &alignments::open,
       .suffix = ".cram"},
      {"npy", tokens::kTakes, &tokens::begins_array, &tokens::open_npy, true},
      {"megatron", tokens::kTakes, &tokens::begins_megatron, &tokens::open_megatron, true},
      {"tokens", tokens::kTakes, nullptr, &tokens::open_raw, true},
      {.name = "tar",
       .takes = tar::kTakes,
       .begins = &tar::begins,
       .open = &tar::open,
       .makes_shuffle_keys = true,
       .divides_files = true,
       .suffix = ".tar"},
      {.name = "bcf",
       .takes = variants::kTakes,
       .begins = &variants::begins_bcf,
       .open = &variants::open,
       .takes_vcf = true,
       .suffix = ".bcf"},
      {"sam", alignments::kTakes, &alignments::begins_sam, &alignments::open},
  });
  return formats;
}

const FileFormat* find_format(std::string_view name) {
  const auto found = std::ranges::find(registry(), name, &FileFormat::name);
  return found == registry().end() ? nullptr : &*found;
}

const FileFormat* format_of(const FileBegin& begin) {
  for (const FileFormat& format : registry()) {
    if (format.begins != nullptr && format.begins(begin)) return &format;
  }
  return nullptr;
}

const FileFormat* format_called(std::string_view path) {
  for (const FileFormat& format : registry()) {
    if (!format.suffix.empty() && path.ends_with(format.suffix)) return &format;
  }
  return nullptr;
}

}  // namespace sortie::formats
