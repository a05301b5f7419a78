// Which format the inputs of a job have, and the options with which it looks at them. Used by the jobs of all formats.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <sortie/assumption.hpp>
#include <sortie/file_format_options.hpp>
#include <sortie/options.hpp>

#include "formats/file_format.hpp"

namespace sortie::formats {

/// Without this no file is looked at.
bool may_be_of_format(const SortOptions& options, const FileFormatOptions& asked);

/// Throws Error for a word that is none of kFileFormats.
const FileFormat& format_named(std::string_view name);

/// A format, and how it was found if neither an option nor the begin of a file says it.
struct ChosenFormat {
  const FileFormat* format = nullptr;  ///< null: the files hold bare records
  std::optional<Assumption> guess = {};
};

/// The format of the inputs, or the one that is asked for. Precondition: may_be_of_format().
ChosenFormat chosen_format(FileSystem& files, const SortOptions& options, const FileFormatOptions& asked);

/// What is needed to look at the inputs. All else is checked once it is known what they are.
SortOptions options_of_site(const SortOptions& options);

/// Without what is of a sort of lines that are VCF and files of variants have as well.
SortOptions without_lines(const SortOptions& options);

/// Throws Error if an output of this format is called as files of another one are.
void refuse_name_of_other_format(const FileFormat& format, const std::string& output);

/// Throws Error for options that no job of a format has. Records of a format have no layout that options could
/// contradict, and the format knows what its files are called.
void validate_for_format(const FileFormat& format, const SortOptions& options);

}  // namespace sortie::formats
