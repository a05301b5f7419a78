#include "cli/explain/first_records.hpp"

#include <cstddef>
#include <span>

#include <sortie/sort.hpp>

namespace sortie::cli {

std::string first_records(const SortOptions& options, std::uint64_t count) {
  SortOptions first;
  first.format = options.format;
  first.format.text.keys.clear();
  first.format.text.locale = false;
  first.format.descending = false;
  first.format.shuffle = false;
  if (!options.inputs.empty()) first.inputs = {options.inputs.front()};
  first.header_lines = options.header_lines;
  first.unpack = options.unpack;
  first.engine = EngineChoice::kCpu;
  // A merge of one input passes its records on as they are, and reads no further than it must.
  first.merge_only = true;
  first.top_records = count;
  std::string records;
  first.sink = [&](std::span<const std::byte> bytes) {
    records.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  sort(first);
  return records;
}

}  // namespace sortie::cli
