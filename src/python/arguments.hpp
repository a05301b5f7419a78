// The arguments of Python's functions, by the catalogue of options, as options of the library.
#pragma once

#include <nanobind/nanobind.h>

#include <sortie/argsort.hpp>
#include <sortie/file_format_options.hpp>
#include <sortie/join.hpp>
#include <sortie/options.hpp>
#include <sortie/sort_array.hpp>

#include "option/option_spec.hpp"

namespace sortie::python {

/// Reads a dict of arguments; None leaves an option as it is. `function`: who was called with them, for messages.
/// Raises TypeError for a name that is not known or a value of the wrong type; throws Error for other values that
/// cannot be. `functions`: the bits of those that are known.
SortOptions read_sort_options(const nanobind::dict& arguments, const char* function,
                              unsigned functions = option::kSorts | option::kOfArrays);

struct FileSort {
  SortOptions options;
  FileFormatOptions file;
};

/// The same for a sort of files, which may be of a format.
FileSort read_file_sort(const nanobind::dict& arguments, const char* function);

/// The same for a join: beside those that it shares with a sort, keys, how, right_keys, select and empty.
JoinOptions read_join_options(const nanobind::dict& arguments, const char* function);

/// The same for tables, without what is for files and lines only.
SortOptions read_table_options(const nanobind::dict& arguments, const char* function);

/// The same for arrays: descending, threads, engine, devices and device_memory.
ArrayOptions read_array_options(const nanobind::dict& arguments, const char* function);

/// The same for argsort: descending and threads.
ArgsortOptions read_argsort_options(const nanobind::dict& arguments, const char* function);

/// Adds `option_catalogue` and `has_option` to the module: what there is to know of each option.
void bind_options(nanobind::module_& module);

}  // namespace sortie::python
