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
      {.name = "npy",
       .takes = tokens::kTakes,
       .begins = &tokens::begins_array,
       .open = &tokens::open_npy,
       .makes_shuffle_keys = true,
       .suffix = ".npy"},
      {.name = "megatron",
       .takes = tokens::kTakes,
       .begins = &tokens::begins_megatron,
       .open = &tokens::open_megatron,
       .makes_shuffle_keys = true},
      {.name = "tokens",
       .takes = tokens::kTakes,
       .begins = nullptr,
       .open = &tokens::open_raw,
       .makes_shuffle_keys = true},
      {.name = "tar",
       .takes = tar::kTakes,
       .begins = &tar::begins,
       .open = &tar::open,
       .makes_shuffle_keys = true,
       .divides_files = true,
       .record_version = 2,
       .suffix = ".tar"},
      {.name = "bcf",
       .takes = variants::kTakes,
       .begins = &variants::begins_bcf,
       .open = &variants::open,
       .takes_vcf = true,
       .suffix = ".bcf"},
      {.name = "sam", .takes = alignments::kTakes, .begins = &alignments::begins_sam, .open = &alignments::open},
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
