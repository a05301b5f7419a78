// sortie-gen: makes test data of any size, above all gensort's own.
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/output/open_output.hpp"
#include "tools/common/record_checksum.hpp"
#include "tools/common/tool_command_line.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

struct GenOptions {
  DataSet data_set;
  std::string output;     ///< path, or "-" for standard output
  bool checksum = false;  ///< whether to print it on standard error
  unsigned threads = 0;   ///< 0 for all
};

namespace po = boost::program_options;

constexpr char kName[] = "sortie-gen";
constexpr char kSummary[] =
    "Writes RECORDS records to FILE (- is standard output; .gz, .zst and .bz2 compress). Without options it makes "
    "the same bytes as gensort 1.5. The bytes depend on the options alone, never on the number of threads.";

CommandLine describe_command_line() {
  CommandLine command_line{.name = kName,
                           .purpose = "make test data of any size for sorts",
                           .form = "[OPTION]... RECORDS FILE",
                           .summary = kSummary,
                           .exit_status = "0 if all is written, 2 on any trouble; FILE is then as it was before.",
                           .environment = "No variable has an effect.",
                           .files = "FILE is written beside its place, and takes it when it is complete.",
                           .examples = {{"sortie-gen 10000000 big.dat", "1 GB of gensort's records"},
                                        {"sortie-gen --kind=lines --seed=7 1000000 words.txt", "a million lines"},
                                        {"sortie-gen --kind=u64 --distribution=zipf 1000000 numbers.bin",
                                         "numbers of which a few are very frequent"}},
                           .operands = {"RECORDS", "FILE"}};
  command_line.options.add_options()("ascii,a", po::bool_switch(),
                                     "gensort records of printable characters, ended by \\r\\n")(
      "checksum,c", po::bool_switch(), "print the sum of the records' CRC-32 on standard error")(
      "first,b", po::value<std::string>()->default_value("0")->value_name("FIRST"),
      "number of the first record (-b1000)")("threads,t", po::value<std::string>()->default_value("0")->value_name("N"),
                                             "threads; 0: all there are")(
      "kind", po::value<std::string>()->default_value("gensort")->value_name("KIND"),
      "gensort; lines (words, very different lengths); letters (lines of letters); log (a web server's); prefixed "
      "(lengths in front of "
      "records of any bytes); sam (alignments of pairs of reads, behind their header); or an array of little-endian "
      "u32, i32, u64, i64, f32, f64")(
      "distribution", po::value<std::string>()->default_value("uniform")->value_name("NAME"),
      "of the keys: uniform; zipf (2^20 keys, a few very frequent); few (16 keys); prefix (16 long common "
      "beginnings); sorted; reversed; nearly (sorted, but one in 100); constant")(
      "seed", po::value<std::string>()->default_value("0")->value_name("N"), "another data set; 0 is gensort's own")(
      "key-bytes", po::value<std::string>()->default_value("0:20")->value_name("LEAST:MOST"),
      "lengths of the keys of prefixed records")(
      "payload-bytes", po::value<std::string>()->default_value("0:200")->value_name("LEAST:MOST"),
      "lengths of their payloads")("line-bytes", po::value<std::string>()->default_value("8")->value_name("LEAST:MOST"),
                                   "lengths of lines of letters, with their ends");
  return command_line;
}

/// One number stands for both bounds.
LengthBounds parse_bounds(std::string_view text, const char* name) {
  const std::size_t colon = text.find(':');
  LengthBounds bounds;
  bounds.least = parse_count(std::string(text.substr(0, colon)), name);
  bounds.most = colon == std::string_view::npos ? bounds.least : parse_count(std::string(text.substr(colon + 1)), name);
  if (bounds.least > bounds.most || bounds.most > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(std::string(name) + " '" + escape_unprintable(text) +
                "': give the least and the greatest length, below 2^32, for example 8:16");
  }
  return bounds;
}

/// Nothing if --help or --version was given and answered. Throws Error.
std::optional<GenOptions> parse_gen_options(int argc, const char* const* argv) {
  const auto values = parse_command_line(describe_command_line(), argc, argv);
  if (!values) return std::nullopt;
  const auto text = [&](const char* name) { return (*values)[name].as<std::string>(); };
  GenOptions options;
  options.data_set.kind = text("kind");
  options.data_set.ascii = (*values)["ascii"].as<bool>();
  options.data_set.first_record = parse_record_number(text("first"));
  options.data_set.record_count = parse_count(required_operand(*values, "RECORDS", kName), "RECORDS");
  options.data_set.distribution = parse_distribution(text("distribution"));
  options.data_set.seed = parse_count(text("seed"), "--seed");
  options.data_set.key_bytes = parse_bounds(text("key-bytes"), "--key-bytes");
  options.data_set.payload_bytes = parse_bounds(text("payload-bytes"), "--payload-bytes");
  options.data_set.line_bytes = parse_bounds(text("line-bytes"), "--line-bytes");
  options.output = required_operand(*values, "FILE", kName);
  options.checksum = (*values)["checksum"].as<bool>();
  options.threads = parse_threads(text("threads"));
  return options;
}

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
