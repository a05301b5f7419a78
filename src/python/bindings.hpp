// The parts of the extension module sortie._native, which the package's own files wrap: it takes dicts of arguments.
#pragma once

#include <nanobind/nanobind.h>

#include <sortie/report.hpp>

namespace sortie::python {

/// A sortie.Report.
nanobind::object report_object(const SortReport& report);

void bind_files(nanobind::module_& module);
void bind_arrays(nanobind::module_& module);
void bind_foreign_numbers(nanobind::module_& module);
void bind_sorter(nanobind::module_& module);
void bind_tables(nanobind::module_& module);
void bind_table_records(nanobind::module_& module);
void bind_row_words(nanobind::module_& module);
void bind_key_order(nanobind::module_& module);
void bind_row_gather(nanobind::module_& module);
void bind_text_pages(nanobind::module_& module);
void bind_output(nanobind::module_& module);
void bind_cluster(nanobind::module_& module);
void bind_spawn(nanobind::module_& module);
void bind_stored_pages(nanobind::module_& module);
void bind_thrift(nanobind::module_& module);
void bind_different_numbers(nanobind::module_& module);
/// The submodule `device`.
void bind_device(nanobind::module_& module);

}  // namespace sortie::python
