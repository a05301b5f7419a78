// sort_files, join_files, check_files, plan_files and plan_join_files, and what this build is.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <sortie/file_format_shards.hpp>
#include <sortie/file_formats.hpp>
#include <sortie/join.hpp>
#include <sortie/sort.hpp>
#include <sortie/sort_array.hpp>
#include <sortie/version.hpp>

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/object_value.hpp"
#include "python/raise_errors.hpp"
#include "python/text_object.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

nb::object sort_files(const nb::dict& arguments, nb::object on_progress, nb::object on_warning) {
  FileSort asked = read_file_sort(arguments, "sort_files");
  return report_object(run_watched(asked.options, std::move(on_progress), std::move(on_warning),
                                   [&] { return sortie::sort_files(asked.options, asked.file); }));
}

nb::object join_files(const nb::dict& arguments, nb::object on_progress, nb::object on_warning) {
  JoinOptions options = read_join_options(arguments, "join_files");
  const JoinReport report =
      run_watched(options.sort, std::move(on_progress), std::move(on_warning), [&] { return join(options); });
  return nb::module_::import_("sortie").attr("JoinReport")(text_object(to_json(report)), text_object(to_text(report)),
                                                           report_object(report.left), report_object(report.right));
}

/// (input, record, offset, line) of the first disorder, or None.
nb::object check_files(const nb::dict& arguments, nb::object on_progress, nb::object on_warning) {
  SortOptions options = read_sort_options(arguments, "check_files", option::kOfChecks);
  const std::optional<Disorder> disorder =
      run_watched(options, std::move(on_progress), std::move(on_warning), [&] { return check(options); });
  if (!disorder) return nb::none();
  return nb::make_tuple(text_object(disorder->input), disorder->record, disorder->offset,
                        nb::bytes(disorder->text.data(), disorder->text.size()));
}

nb::object plan_files(const nb::dict& arguments) {
  FileSort asked = read_file_sort(arguments, "plan_files");
  return text_object(run_watched(asked.options, nb::none(), nb::none(),
                                 [&] { return sortie::plan_files(asked.options, asked.file); }));
}

nb::object plan_join_files(const nb::dict& arguments) {
  JoinOptions options = read_join_options(arguments, "plan_join_files");
  return text_object(run_watched(options.sort, nb::none(), nb::none(), [&] { return plan(options); }));
}

/// (word of --format, whether a shard may begin within a file, what is assumed if the name of the file says it alone)
/// of a file of a format; None if it holds bare records. `format`: the word that is given; empty: the file decides, if
/// `by_content` lets it. Raises what is wrong with the name of the output.
nb::object find_file_format(nb::handle path, nb::handle output, const std::string& format, bool by_content) {
  SortOptions options;
  options.inputs = {ObjectValue("path", path).as_path()};
  options.output = ObjectValue("output", output).as_path();
  const FileFormatOptions file{.format = format, .by_content = by_content};
  const FoundFormat found =
      run_watched(options, nb::none(), nb::none(), [&] { return sortie::find_file_format(options, file); });
  if (found.name.empty()) return nb::none();
  nb::object guess = nb::none();
  if (found.guess) guess = assumption_object(*found.guess);
  return nb::make_tuple(found.name, found.divides_files, guess);
}

/// Raises what a sort with these arguments would refuse before it looks at a file.
void check_options(const nb::dict& arguments, bool for_tables) {
  if (for_tables) {
    read_table_options(arguments, "sort_parquet");
  } else {
    read_file_sort(arguments, "sort_files");
  }
}

/// `arguments`: with the inputs.
void check_join_options(const nb::dict& arguments) { read_join_options(arguments, "join_files"); }

/// The bytes of the argument `memory`.
std::uint64_t memory_of(const nb::dict& arguments) { return read_table_options(arguments, "join_tables").memory_bytes; }

/// Bytes of a size in an argument of this name.
std::uint64_t size_of(nb::handle value, const std::string& name) {
  return ObjectValue(name, value).as_size("4GB", 'b');
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
  module.def("size_of", &size_of, nb::arg("value"), nb::arg("name"));
  module.def("memory_of", &memory_of, nb::arg("arguments"));
  module.attr("file_formats") = nb::str(kFileFormats.data(), kFileFormats.size());
  module.def("find_file_format", &find_file_format, nb::arg("path"), nb::arg("output"), nb::arg("format"),
             nb::arg("by_content"));
  module.def("check_options", &check_options, nb::arg("arguments"), nb::arg("for_tables"));
  module.def("check_join_options", &check_join_options, nb::arg("arguments"));
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
