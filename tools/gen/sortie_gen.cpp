// sortie-gen: makes test data of any size, above all gensort's own.
#include <cstdio>
#include <limits>
#include <string>

#include <sortie/error.hpp>

#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "tools/common/record_checksum.hpp"
#include "tools/common/tool_command_line.hpp"
#include "tools/common/tool_output.hpp"
#include "tools/gen/file_generator.hpp"
#include "tools/gen/gen_options.hpp"

namespace sortie::tools {
namespace {

std::uint64_t total_bytes(std::uint64_t record_count, std::uint64_t record_bytes) {
  if (record_count > std::numeric_limits<std::uint64_t>::max() / record_bytes) {
    throw Error("RECORDS " + std::to_string(record_count) + " make more than 2^64 bytes; ask for fewer");
  }
  return record_count * record_bytes;
}

int generate(int argc, const char* const* argv) {
  const std::optional<GenOptions> options = parse_gen_options(argc, argv);
  if (!options) return 0;
  const auto source = make_record_source(options->data_set);
  const auto files = make_posix_file_system();
  const auto output = open_output(*files, options->output);
  const std::uint64_t record_count = options->data_set.record_count;
  const std::uint64_t record_bytes = source->layout().record_bytes;
  if (record_bytes != 0) output->expect(total_bytes(record_count, record_bytes));
  const Checksum checksum = generate_records(*source, record_count, options->threads, options->checksum,
                                             [&](std::span<const std::byte> bytes) { output->write(bytes); });
  output->finish();
  if (options->checksum) print(stderr, checksum_to_hex(checksum) + "\n");
  return 0;
}

}  // namespace
}  // namespace sortie::tools

int main(int argc, char** argv) {
  return sortie::tools::run_tool("sortie-gen", "use fewer threads with --threads",
                                 [&] { return sortie::tools::generate(argc, argv); });
}
