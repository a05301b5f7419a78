#include "pipeline/setup/parts_check.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/letter_case.hpp"
#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "io/files/folded_names.hpp"
#include "io/paths/paths.hpp"
#include "pipeline/parts/part_names.hpp"

namespace sortie {
namespace {

PartNames names_of(const std::string& pattern, const Parts& parts) {
  return {pattern, parts.by_first_key ? PartNames::Placeholder::kValue : PartNames::Placeholder::kNumber};
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
}

/// The files of the sort beside the output.
std::vector<std::string> protected_files(const SortOptions& options) {
  std::vector<std::string> paths = options.inputs;
  paths.insert(paths.end(), options.protected_files.begin(), options.protected_files.end());
  for (const std::string* path :
       {&options.trace_path, &options.stats_json_path, &options.report_path, &options.parts.manifest_path}) {
    if (!path->empty()) paths.push_back(*path);
  }
  return paths;
}

/// Knows which files parts may reach.
class PartTargets {
 public:
  PartTargets(FileSystem& files, const SortOptions& options)
      : files_(files),
        is_numbered_(!options.parts.by_first_key),
        names_(names_of(options.output, options.parts)),
        folded_names_(names_of(in_lower_case(options.output), options.parts)),
        folder_(real_path(names_.directory()).value_or("")) {}

  /// Whether the entry `path` lies in the folder of the parts, under a name that a part may have, or one that reaches
  /// the same file there.
  bool hold(const std::string& path) {
    const std::string name = name_in_directory(path);
    const bool is_name = names_.may_be_part(name);
    const bool is_name_in_lower_case = folded_names_.may_be_part(in_lower_case(name));
    const std::optional<std::string> numbered = is_name || is_name_in_lower_case ? std::nullopt : part_like(name);
    if (!is_name && !is_name_in_lower_case && !numbered) return false;
    if (real_path(directory_of(path)) != folder_) return false;
    return numbered ? are_one_name(files_, names_.directory(), name, *numbered) : is_name || folds_case();
  }

 private:
  /// A part with a number that is in `name`, whose name may be the same for some file system beyond the letters of
  /// ASCII. What values give is not known beforehand: PartsOutput looks at them.
  std::optional<std::string> part_like(const std::string& name) const {
    if (!is_numbered_) return std::nullopt;
    const auto is_digit = [](char byte) { return byte >= '0' && byte <= '9'; };
    for (auto begin = std::ranges::find_if(name, is_digit); begin != name.end();) {
      const auto end = std::find_if_not(begin, name.end(), is_digit);
      const auto number = whole_number<std::uint64_t>(std::string_view(begin, end));
      const std::string part = number ? name_in_directory(names_.for_number(*number)) : name;
      if (may_be_one_name(part, name)) return part;
      begin = std::find_if(end, name.end(), is_digit);
    }
    return std::nullopt;
  }

  bool folds_case() {
    if (!folds_case_) folds_case_ = are_one_name(files_, names_.directory(), "a", "A");
    return *folds_case_;
  }

  FileSystem& files_;
  bool is_numbered_;
  PartNames names_;
  PartNames folded_names_;
  std::string folder_;
  std::optional<bool> folds_case_;
};

}  // namespace

void check_parts(const SortOptions& options) {
  const Parts& parts = options.parts;
  if (!parts.are_wanted()) return;
  if (parts.count > kMostParts) throw Error("more than " + std::to_string(kMostParts) + " parts: ask for fewer");
  if (options.sink || options.output == "-") {
    throw Error("parts are files: name them by an output with a place in it, such as 'part-{:04d}'");
  }
  static_cast<void>(names_of(options.output, parts));
  check_keys(options);
}

void refuse_parts_in_other_use(FileSystem& files, const SortOptions& options) {
  if (!options.parts.are_wanted()) return;
  PartTargets targets(files, options);
  for (const std::string& path : protected_files(options)) {
    if (!targets.hold(path) && !targets.hold(files.resolve_links(path))) continue;
    throw Error("a part of the output could replace " + quote_path(path) +
                ", which is in use for another purpose: name the parts otherwise");
  }
}

}  // namespace sortie
