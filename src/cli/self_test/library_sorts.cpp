#include "cli/self_test/library_sorts.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/join.hpp>
#include <sortie/sort.hpp>

#include "cli/options/command_line.hpp"

namespace sortie::cli {
namespace {

CommandLine command_of(const std::vector<std::string>& words, const SortOptions& resources) {
  return parse_command_line(words, "sortie", resources);
}

RecordSink sink_to(std::string& bytes) {
  return [&bytes](std::span<const std::byte> records) {
    bytes.append(reinterpret_cast<const char*>(records.data()), records.size());
  };
}

}  // namespace

SortOptions options_of(const std::vector<std::string>& words, const SortOptions& resources) {
  return command_of(words, resources).options;
}

RecordSource source_of(std::string_view bytes) {
  return [rest = bytes](std::span<std::byte> target) mutable {
    const std::size_t count = std::min(target.size(), rest.size());
    std::memcpy(target.data(), rest.data(), count);
    rest.remove_prefix(count);
    return count;
  };
}

Sorted sorted(SortOptions options) {
  Sorted result;
  if (options.output == "-") options.sink = sink_to(result.bytes);
  result.report = sort(options);
  if (!result.report.device_failure.empty()) throw Error(result.report.device_failure);
  return result;
}

std::string joined_rows(const std::vector<std::string>& words, const SortOptions& resources) {
  const CommandLine command = command_of(words, resources);
  JoinOptions options = command.join.value();
  options.sort = command.options;
  std::string rows;
  options.sort.sink = sink_to(rows);
  join(options);
  return rows;
}

}  // namespace sortie::cli
