// Sorts files that are more than their records: with a header, an index or a packed form of their own.
//
//   sortie::SortOptions options;
//   options.inputs = {"in.bam"};
//   options.output = "out.bam";
//   sortie::sort_files(options, {.settings = {{"by", "name"}}});
#pragma once

#include <optional>
#include <string>

#include <sortie/file_format_options.hpp>
#include <sortie/options.hpp>
#include <sortie/report.hpp>
#include <sortie/sort.hpp>

namespace sortie {

/// Sorts the records of files of one format, and writes them as such a file. Files of no format are sorted as sort()
/// does. Of `options.format` only a shuffle and a descending order count. Throws Error as sort() does, and for an
/// option that the format makes nothing of, an input that is damaged, and a module that is missing. The output is
/// complete, or as it was.
SortReport sort_files(const SortOptions& options, const FileFormatOptions& format);

/// Says what sort_files() would do, as plan() does for sort().
std::string plan_files(const SortOptions& options, const FileFormatOptions& format);

/// Checks that the records of one file are in the order in which sort_files() would write them, and that none are equal
/// if options.unique. Files of no format are checked as check() does. A record of a format has no offset and no text in
/// Disorder.
std::optional<Disorder> check_files(const SortOptions& options, const FileFormatOptions& format);

}  // namespace sortie
