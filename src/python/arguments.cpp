#include "python/arguments.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "option/contradictions.hpp"
#include "option/settled_request.hpp"
#include "python/object_value.hpp"
#include "python/raise_errors.hpp"
#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

using option::Request;
using option::Spec;

const Spec* find_argument(std::string_view name) {
  const Spec* found = nullptr;
  option::for_each_spec([&](const Spec& spec) {
    if (!name.empty() && spec.python.name == name) found = &spec;
  });
  return found;
}

/// Which arguments a function takes: those of the catalogue for these functions, and others by their names.
struct Taken {
  unsigned functions = 0;
  std::span<const std::string_view> others = {};

  bool contains(const Spec& spec) const {
    return (spec.python.functions & functions) != 0 || std::ranges::find(others, spec.python.name) != others.end();
  }
};

constexpr std::string_view kOthersOfFiles[] = {"inputs", "output"};
constexpr std::string_view kOthersOfJoins[] = {"inputs", "output", "keys", "how", "right_keys", "select", "empty"};
constexpr std::string_view kOfNumbers[] = {"descending", "threads", "engine", "devices", "device_memory"};
constexpr std::string_view kOfIndexes[] = {"descending", "threads"};

Request request_of(const nb::dict& arguments, const char* function, const Taken& taken) {
  Request request(option::Door::kPython);
  for (const auto& [key, value] : arguments) {
    const std::string name = printable_text(key);
    const Spec* const spec = find_argument(name);
    if (spec == nullptr || !taken.contains(*spec)) {
      raise_type_error(std::string(function) + "() has no argument '" + option::without_controls(name) + "'");
    }
    if (!value.is_none()) request.take(*spec, ObjectValue(name, value));
  }
  return request;
}

Request settled_request(const nb::dict& arguments, const char* function, const Taken& taken) {
  Request request = request_of(arguments, function, taken);
  settle(request);
  if (request.output) request.options.output = *request.output;
  return request;
}

nb::object text_of(std::string_view text) { return nb::str(text.data(), text.size()); }

const char* name_of(option::Group group) {
  switch (group) {
    case option::Group::kRecords:
      return "records";
    case option::Group::kOrder:
      return "order";
    case option::Group::kResources:
      return "resources";
    case option::Group::kObservation:
      return "observation";
    default:
      return "action";
  }
}

/// A dict for each option.
nb::list option_catalogue() {
  nb::list specs;
  option::for_each_spec([&](const Spec& spec) {
    nb::dict told;
    told["group"] = name_of(option::group_of(spec));
    told["long_name"] = text_of(spec.long_name);
    told["short_name"] = text_of({&spec.short_name, spec.short_name == '\0' ? 0U : 1U});
    told["takes"] = text_of(!spec.takes_value() ? "" : spec.value_is_optional() ? "?" : "=");
    told["values"] = text_of(spec.values);
    told["not_on_clusters"] = text_of(spec.not_on_clusters);
    told["name"] = text_of(spec.python.name);
    told["type"] = text_of(spec.python.type);
    told["functions"] = spec.python.functions;
    told["is_of_lines"] = (spec.about & (option::kOrders | option::kOfLines)) != 0;
    told["drops_records"] = (spec.about & option::kDropsRecords) != 0;
    told["help"] = text_of(spec.python.help);
    specs.append(told);
  });
  return specs;
}

}  // namespace

SortOptions read_sort_options(const nb::dict& arguments, const char* function, unsigned functions) {
  Request request = settled_request(arguments, function, {functions, kOthersOfFiles});
  refuse_names_without_header(request, nullptr);
  if (request.asks_for_file_format()) {
    request.refuse("files of a format are for sort_files(): " + std::string(function) + "() takes none");
  }
  return std::move(request.options);
}

FileSort read_file_sort(const nb::dict& arguments, const char* function) {
  Request request = settled_request(arguments, function, {option::kSorts | option::kOfArrays, kOthersOfFiles});
  refuse_names_without_header(request, nullptr);
  request.file.command = "sortie." + std::string(function);
  return {std::move(request.options), std::move(request.file)};
}

JoinOptions read_join_options(const nb::dict& arguments, const char* function) {
  Request request = settled_request(arguments, function, {option::kOfJoins, kOthersOfJoins});
  JoinOptions options = join_options_of(request);
  refuse_names_without_header(request, &options);
  options.sort = std::move(request.options);
  return options;
}

SortOptions read_table_options(const nb::dict& arguments, const char* function) {
  Request request = request_of(arguments, function, {option::kOfTables});
  settle_rows(request);
  return std::move(request.options);
}

ArrayOptions read_array_options(const nb::dict& arguments, const char* function) {
  const Request request = request_of(arguments, function, {0, kOfNumbers});
  refuse_idle_gpu_options(request);
  ArrayOptions options;
  options.descending = request.order.global.descending;
  options.threads = request.options.threads;
  options.engine = request.options.engine;
  options.devices = request.options.devices;  // all of them, if there is none by number
  options.device_memory_bytes = request.options.device_memory_bytes;
  return options;
}

ArgsortOptions read_argsort_options(const nb::dict& arguments, const char* function) {
  const Request request = request_of(arguments, function, {0, kOfIndexes});
  ArgsortOptions options;
  options.descending = request.order.global.descending;
  options.threads = request.options.threads;
  return options;
}

void bind_options(nb::module_& module) {
  module.def("option_catalogue", &option_catalogue);
  module.def(
      "has_option", [](const std::string& name) { return find_argument(name) != nullptr; }, nb::arg("name"));
}

}  // namespace sortie::python
