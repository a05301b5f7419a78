// How the self-test has the library sort: by the words of a command line, with the resources that it may use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/record_stream.hpp>
#include <sortie/report.hpp>

namespace sortie::cli {

/// What the words of a command line ask for, with `resources` where they say nothing.
SortOptions options_of(const std::vector<std::string>& words, const SortOptions& resources);

/// The bytes, which must outlive it, as the input of one sort.
RecordSource source_of(std::string_view bytes);

struct Sorted {
  std::string bytes;  ///< the output, unless it is a file
  SortReport report;
};

/// Throws Error, also where a GPU failed and the CPU engine went on.
Sorted sorted(SortOptions options);

/// The rows of the join that `words` ask for. Throws Error.
std::string joined_rows(const std::vector<std::string>& words, const SortOptions& resources);

}  // namespace sortie::cli
