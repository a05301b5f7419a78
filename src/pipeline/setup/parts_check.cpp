#include "pipeline/setup/parts_check.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/paths/paths.hpp"
#include "pipeline/parts/part_names.hpp"

namespace sortie {
namespace {

PartNames names_of(const SortOptions& options) {
  return {options.output, options.parts.by_first_key ? PartNames::Place::kValue : PartNames::Place::kNumber};
}

void check_keys(const SortOptions& options) {
  const Parts& parts = options.parts;
  if (options.format.shuffle && (parts.together || parts.by_first_key)) {
    throw Error("a shuffle has no keys that parts could go by: cut its output by bytes or records");
  }
  const bool are_chained = options.output_order == OutputOrder::kInput || options.sample_records != 0;
  if (are_chained && (parts.together || parts.by_first_key)) {
    throw Error(
        "parts go by keys where one sort is all: cut samples and outputs in the order of the input by bytes or "
        "records");
  }
  if (options.sample_records != 0 && !parts.manifest_path.empty()) {
    throw Error("a manifest tells of keys, which a sample has none of when it is drawn: cut it without a manifest");
  }
  const TextOrder& order = options.format.text;
  if (parts.by_first_key && (options.format.kind != RecordKind::kLines || order.keys.empty())) {
    throw Error("parts for values of a key are made of lines with keys: cut other records by bytes or number");
  }
  if (options.grouping && parts.together) {
    throw Error("each group is one record, so that equal keys are together anyway: do not ask for it");
  }
}

/// The files of the sort beside the output.
std::vector<std::string> other_files(const SortOptions& options) {
  std::vector<std::string> paths = options.inputs;
  paths.insert(paths.end(), options.other_files.begin(), options.other_files.end());
  for (const std::string* path :
       {&options.trace_path, &options.stats_json_path, &options.report_path, &options.parts.manifest_path}) {
    if (!path->empty()) paths.push_back(*path);
  }
  return paths;
}

/// Whether the entry `path` lies in `folder`, which is a real path, under a name that a part may have.
bool may_be_part(const std::string& path, const std::string& folder, const PartNames& names) {
  return names.may_be_part(name_in_directory(path)) && real_path(directory_of(path)) == folder;
}

}  // namespace

void check_parts(const SortOptions& options) {
  const Parts& parts = options.parts;
  if (!parts.are_wanted()) {
    if (parts.together || !parts.manifest_path.empty()) {
      throw Error("only an output in parts has records that are kept together, and a manifest: say how it is cut");
    }
    return;
  }
  const std::array ways{parts.count != 0, parts.most_bytes != 0, parts.most_records != 0, parts.by_first_key};
  if (parts.count > kMostParts) throw Error("more than " + std::to_string(kMostParts) + " parts: ask for fewer");
  if (std::ranges::count(ways, true) > 1) throw Error("an output is cut into parts in one way: choose one");
  if (options.sink || options.output == "-") {
    throw Error("parts are files: name them by an output with a place in it, such as 'part-{:04d}'");
  }
  static_cast<void>(names_of(options));
  check_keys(options);
}

void refuse_parts_in_other_use(FileSystem& files, const SortOptions& options) {
  if (!options.parts.are_wanted()) return;
  const PartNames names = names_of(options);
  const std::string folder = real_path(names.directory()).value_or("");
  for (const std::string& path : other_files(options)) {
    if (!may_be_part(path, folder, names) && !may_be_part(files.resolve_links(path), folder, names)) continue;
    throw Error("a part of the output could replace " + quote_path(path) +
                ", which is in use for another purpose: name the parts otherwise");
  }
}

}  // namespace sortie
