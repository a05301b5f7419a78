// sort_files, join_files, check_files, plan_files and plan_join_files, and what this build is.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>

#include <sortie/join.hpp>
#include <sortie/sort.hpp>
#include <sortie/sort_array.hpp>
#include <sortie/version.hpp>

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/text_object.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

nb::object sort_files(const nb::dict& arguments, nb::object on_progress, nb::object on_warning) {
  SortOptions options = read_sort_options(arguments, "sort_files");
  WatchedCall call(std::move(on_progress), std::move(on_warning));
  call.attach(options);
  SortReport report;
  call.run([&] { report = sort(options); });
  return report_object(report);
}

nb::object join_files(const nb::dict& arguments, nb::object on_progress, nb::object on_warning) {
  JoinOptions options = read_join_options(arguments, "join_files");
  WatchedCall call(std::move(on_progress), std::move(on_warning));
  call.attach(options.sort);
  JoinReport report;
  call.run([&] { report = join(options); });
  return nb::module_::import_("sortie").attr("JoinReport")(text_object(to_json(report)), text_object(to_text(report)),
                                                           report_object(report.left), report_object(report.right));
}

/// (input, record, offset, line) of the first disorder, or None.
nb::object check_files(const nb::dict& arguments, nb::object on_progress, nb::object on_warning) {
  SortOptions options = read_sort_options(arguments, "check_files");
  WatchedCall call(std::move(on_progress), std::move(on_warning));
  call.attach(options);
  std::optional<Disorder> disorder;
  call.run([&] { disorder = check(options); });
  if (!disorder) return nb::none();
  return nb::make_tuple(text_object(disorder->input), disorder->record, disorder->offset,
                        nb::bytes(disorder->text.data(), disorder->text.size()));
}

nb::object plan_files(const nb::dict& arguments) {
  SortOptions options = read_sort_options(arguments, "plan_files");
  WatchedCall call;
  call.attach(options);
  std::string text;
  call.run([&] { text = plan(options); });
  return text_object(text);
}

nb::object plan_join_files(const nb::dict& arguments) {
  JoinOptions options = read_join_options(arguments, "plan_join_files");
  WatchedCall call;
  call.attach(options.sort);
  std::string text;
  call.run([&] { text = plan(options); });
  return text_object(text);
}

/// Raises what a sort with these arguments would refuse before it looks at a file.
void check_options(const nb::dict& arguments, bool for_tables) {
  if (for_tables) {
    read_table_options(arguments, "sort_parquet");
  } else {
    read_sort_options(arguments, "sort_files");
  }
}

bool has_gpu_module() {
  ArrayOptions options;
  options.engine = EngineChoice::kGpu;
  try {
    const ArraySorter sorter(options);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

nb::object report_object(const SortReport& report) {
  return nb::module_::import_("sortie").attr("Report")(text_object(to_json(report)), text_object(to_text(report)));
}

void bind_files(nb::module_& module) {
  module.attr("version") = SORTIE_VERSION;
  module.attr("build") = SORTIE_PYTHON_BUILD;
  module.attr("most_threads") = kMostThreads;
  module.def("has_gpu_module", &has_gpu_module);
  module.def("check_options", &check_options, nb::arg("arguments"), nb::arg("for_tables"));
  module.def("sort_files", &sort_files, nb::arg("arguments"), nb::arg("on_progress").none(),
             nb::arg("on_warning").none());
  module.def("join_files", &join_files, nb::arg("arguments"), nb::arg("on_progress").none(),
             nb::arg("on_warning").none());
  module.def("check_files", &check_files, nb::arg("arguments"), nb::arg("on_progress").none(),
             nb::arg("on_warning").none());
  module.def("plan_files", &plan_files, nb::arg("arguments"));
  module.def("plan_join_files", &plan_join_files, nb::arg("arguments"));
}

}  // namespace sortie::python
