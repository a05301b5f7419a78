#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <sortie/sort.hpp>

#include "cli/self_test/checks.hpp"
#include "cli/self_test/library_sorts.hpp"

namespace sortie::cli {
namespace {

std::string fault_of_files(const FileContext& context, std::string_view suffix) {
  const Sample sample = plain_lines();
  const NamedFile file(context.folder, suffix, context.names);
  SortOptions options = options_of({"-s", "-k1.1,1.1"}, context.resources);
  options.source = source_of(sample.input);
  options.output = file.path();
  sorted(options);
  if (suffix.empty() == (file.read().size() < sample.input.size())) return "the file is not as long as it should be";
  options = options_of({}, context.resources);
  options.inputs = {file.path()};
  return difference(sample.expected, sorted(options).bytes);
}

std::string fault_of_merge(const FileContext& context) {
  const Sample sample = plain_lines();
  std::array<std::string, 4> shares;
  std::size_t turn = 0;
  for (const std::string_view line : lines_of(sample.expected)) shares[turn++ % shares.size()] += line;
  SortOptions options = options_of({"-m"}, context.resources);
  std::vector<std::unique_ptr<NamedFile>> files;
  for (const std::string& share : shares) {
    files.push_back(std::make_unique<NamedFile>(context.folder, "", context.names));
    files.back()->write(share);
    options.inputs.push_back(files.back()->path());
  }
  return difference(sample.expected, sorted(options).bytes);
}

/// What goes in where two files are compared and joined by field 2, and what must come out.
struct TwoInputs {
  std::string left;
  std::string right;  ///< has a line for each of some keys
  std::string intersection;
  std::string joined;
};

TwoInputs inputs_with_common_keys() {
  std::vector<FieldLine> lines = many(line_of_fields);
  TwoInputs inputs;
  inputs.left = texts_of(lines);
  sort_by_value(lines);
  std::string last;
  for (const FieldLine& line : lines) {
    const std::string& key = line.value;
    const std::string number = std::to_string(key.size());
    if (key < "c" || key > "f") continue;
    inputs.joined.append(key).append(",").append(line.first).append(",");
    inputs.joined.append(std::to_string(line.third)).append(",").append(number).append("\n");
    if (key == std::exchange(last, key)) continue;
    inputs.intersection += line.text;
    inputs.right.insert(0, std::string(number).append(",").append(key).append("\n"));
  }
  inputs.right += "0,i\n";
  return inputs;
}

/// Both inputs, as files.
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
  const std::string lines = plain_lines().expected;
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
