// Which options go with a format of files. Options that all of them take are those of resources and observation, and
// what is done with records by their keys; all others a format names in FileFormat::takes.
#pragma once

#include <sortie/file_format_options.hpp>
#include <sortie/options.hpp>

#include "formats/file_format.hpp"

namespace sortie::formats {

/// Whether the lines are said to be VCF, in the usual order: files of variants have that, too.
bool lines_are_vcf(const SortOptions& options);

/// Throws Error for the first option or setting that `format` makes nothing of.
void refuse_foreign_options(const FileFormat& format, const SortOptions& options, const FileFormatOptions& asked);

/// The options of the sort of records in the middle: without inputs, output and all that the format does itself, and in
/// what is left of the memory beside `taken_bytes`.
SortOptions record_options(const FileFormat& format, const SortOptions& options, std::uint64_t taken_bytes);

/// How hard an output of BGZF is packed. Throws Error for a level that BGZF does not have.
int bgzf_level_of(const SortOptions& options);

/// Whether the output is a pipe, a terminal or a device: no file that another one can lie beside.
bool writes_to_stream(const JobContext& context);

/// Memory of readers and writers: an eighth of what is given, and no more than is of use.
std::uint64_t buffer_bytes_of(const SortOptions& options);
/// The share of the memory for an index beside the output; 0 if none is asked for.
std::uint64_t index_share_of(const SortOptions& options, const FileFormatOptions& asked);

}  // namespace sortie::formats
