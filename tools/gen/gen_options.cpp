#include "tools/gen/gen_options.hpp"

#include <limits>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "tools/common/tool_command_line.hpp"

namespace sortie::tools {
namespace {

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
                           .options = po::options_description("Options", 110),
                           .operands = {},
                           .operand_order = {}};
  command_line.options.add_options()("ascii,a", po::bool_switch(),
                                     "gensort records of printable characters, ended by \\r\\n")(
      "checksum,c", po::bool_switch(), "print the sum of the records' CRC-32 on standard error")(
      "first,b", po::value<std::string>()->default_value("0")->value_name("FIRST"),
      "number of the first record (-b1000)")("threads,t", po::value<std::string>()->default_value("0")->value_name("N"),
                                             "threads; 0: all there are")(
      "kind", po::value<std::string>()->default_value("gensort")->value_name("KIND"),
      "gensort; lines (words, very different lengths); log (a web server's); prefixed (lengths in front of "
      "records of any bytes); or an array of little-endian "
      "u32, i32, u64, i64, f32, f64")(
      "distribution", po::value<std::string>()->default_value("uniform")->value_name("NAME"),
      "of the keys: uniform; zipf (2^20 keys, a few very frequent); few (16 keys); prefix (16 long common "
      "beginnings); sorted; reversed; constant")("seed", po::value<std::string>()->default_value("0")->value_name("N"),
                                                 "another data set; 0 is gensort's own")(
      "key-bytes", po::value<std::string>()->default_value("0:20")->value_name("LEAST:MOST"),
      "lengths of the keys of prefixed records")(
      "payload-bytes", po::value<std::string>()->default_value("0:200")->value_name("LEAST:MOST"),
      "lengths of their payloads");
  command_line.operands.add_options()("RECORDS", po::value<std::string>())("FILE", po::value<std::string>());
  command_line.operand_order.add("RECORDS", 1).add("FILE", 1);
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

}  // namespace

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
  options.output = required_operand(*values, "FILE", kName);
  options.checksum = (*values)["checksum"].as<bool>();
  options.threads = parse_threads(text("threads"));
  return options;
}

Uint128 parse_record_number(std::string_view text) {
  constexpr Uint128 kMax = ~Uint128{0};
  Uint128 number = 0;
  bool valid = !text.empty();
  for (const char character : text) {
    const auto digit = static_cast<unsigned>(character - '0');
    valid = valid && digit <= 9 && number <= (kMax - digit) / 10;
    number = number * 10 + digit;
  }
  if (!valid) throw Error("first record '" + escape_unprintable(text) + "' is not a decimal number below 2^128");
  return number;
}

}  // namespace sortie::tools
