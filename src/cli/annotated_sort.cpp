#include "cli/annotated_sort.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/sort.hpp>

#include "cli/diagnostics.hpp"
#include "record/text/annotate.hpp"

namespace sortie::cli {
namespace {

/// Annotations that are collected before they are printed: there is a line for each key.
constexpr std::size_t kPrintedBytes = 64 << 10;

/// `lines`: whole ones.
void print_annotated(std::string_view lines, char delimiter, const Annotator& annotator) {
  std::string annotations;
  for (std::size_t end; (end = lines.find(delimiter)) != std::string_view::npos;) {
    std::string annotation = annotator.annotated(lines.substr(0, end));
    lines.remove_prefix(end + 1);
    if (annotations.size() + annotation.size() > kPrintedBytes) {
      print(annotations);
      annotations = std::move(annotation);
    } else {
      annotations += annotation;
    }
  }
  print(annotations);
}

}  // namespace

SortReport sort_annotated(SortOptions options) {
  options.output = "-";
  // Made when the sort has found that the options are right.
  options.sink = [format = options.format,
                  annotator = std::optional<Annotator>()](std::span<const std::byte> records) mutable {
    if (!annotator) annotator.emplace(format.text);
    print_annotated({reinterpret_cast<const char*>(records.data()), records.size()}, format.delimiter, *annotator);
  };
  options.protected_files.push_back("/dev/stdout");
  return sort(options);
}

}  // namespace sortie::cli
