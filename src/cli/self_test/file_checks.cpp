#include "cli/self_test/file_checks.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <sortie/sort.hpp>

#include "cli/self_test/library_sorts.hpp"
#include "cli/self_test/named_file.hpp"
#include "cli/self_test/reference_sort.hpp"
#include "cli/self_test/samples.hpp"

namespace sortie::cli {
namespace {

std::string fault_of_files(const FileContext& context, std::string_view suffix) {
  const std::string lines = sample_lines();
  const NamedFile file(context.folder, suffix, context.names);
  SortOptions options = options_of({"-s", "-k1.1,1.1"}, context.resources);
  options.source = source_of(lines);
  options.output = file.path();
  sorted(options);
  if (suffix.empty() == (file.read().size() < lines.size())) return "the file is not as long as it should be";
  options = options_of({}, context.resources);
  options.inputs = {file.path()};
  return difference(sorted_lines(lines), sorted(options).bytes);
}

std::string fault_of_merge(const FileContext& context) {
  const std::string lines = sample_lines();
  const RecordList list = lines_of(lines);
  SortOptions options = options_of({"-m"}, context.resources);
  std::vector<std::unique_ptr<NamedFile>> files;
  for (std::size_t begin = 0; begin < list.size(); begin += list.size() / 4 + 1) {
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(begin + list.size() / 4 + 1, list.size()));
    const std::string share = joined(RecordList(list.begin() + static_cast<std::ptrdiff_t>(begin), end));
    files.push_back(std::make_unique<NamedFile>(context.folder, "", context.names));
    files.back()->write(sorted_lines(share));
    options.inputs.push_back(files.back()->path());
  }
  return difference(sorted_lines(lines), sorted(options).bytes);
}

/// Both inputs of a sample, as files.
struct TwoFiles {
  TwoFiles(const TwoInputs& inputs, const FileContext& context)
      : left(context.folder, "", context.names), right(context.folder, "", context.names) {
    left.write(inputs.left);
    right.write(inputs.right);
  }

  NamedFile left;
  NamedFile right;
};

std::string fault_of_sets(const FileContext& context) {
  const TwoInputs inputs = inputs_with_common_keys();
  const TwoFiles files(inputs, context);
  const SortOptions options =
      options_of({"--intersect", "-t,", "-k2,2", "--", files.left.path(), files.right.path()}, context.resources);
  return difference(inputs.intersection, sorted(options).bytes);
}

std::string fault_of_join(const FileContext& context) {
  const TwoInputs inputs = inputs_with_common_keys();
  const TwoFiles files(inputs, context);
  return difference(
      inputs.joined,
      joined_rows({"--join=inner", "-t,", "-k2,2", "--", files.left.path(), files.right.path()}, context.resources));
}

std::string fault_of_check(const FileContext& context) {
  const std::string lines = sorted_lines(sample_lines());
  const NamedFile file(context.folder, "", context.names);
  SortOptions options = options_of({}, context.resources);
  options.inputs = {file.path()};
  file.write(lines);
  if (check(options)) return "it takes what is in order for out of order";
  file.write(lines + "a\n");
  const std::optional<Disorder> disorder = check(options);
  if (!disorder) return "it takes what is out of order for in order";
  return disorder->offset == lines.size() ? "" : "it finds the wrong place";
}

}  // namespace

std::span<const FileCheck> file_checks() {
  static constexpr std::array<FileCheck, 8> kChecks = {{
      {"files", [](const FileContext& context) { return fault_of_files(context, ""); }},
      {"packed files, .gz", [](const FileContext& context) { return fault_of_files(context, ".gz"); }},
      {"packed files, .zst", [](const FileContext& context) { return fault_of_files(context, ".zst"); }},
      {"packed files, .bz2", [](const FileContext& context) { return fault_of_files(context, ".bz2"); }},
      {"sorted files merged", fault_of_merge},
      {"what two files share", fault_of_sets},
      {"two files joined", fault_of_join},
      {"a check of the order", fault_of_check},
  }};
  return kChecks;
}

}  // namespace sortie::cli
