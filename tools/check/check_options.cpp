#include "tools/check/check_options.hpp"

#include <sortie/error.hpp>

#include "tools/common/tool_command_line.hpp"

namespace sortie::tools {
namespace {

namespace po = boost::program_options;

constexpr char kName[] = "sortie-check";
constexpr char kSummary[] =
    "Checks that FILE (- is standard input) is sorted and reports on standard error as valsort does: records, "
    "checksum (the sum of the records' CRC-32), duplicate keys, and the first record out of order, counted from 0. "
    "FILE may be packed with gzip, zstd, bzip2, xz or lz4.";

CommandLine describe_command_line() {
  CommandLine command_line{
      .name = kName,
      .purpose = "check that a file is sorted and holds the records of its input",
      .form = "[OPTION]... FILE",
      .summary = kSummary,
      .exit_status =
          "0 if FILE is in order, and has the same records where there is something to "
          "compare with; 1 if not; 2 on any trouble.",
      .environment = "No variable has an effect: lines are compared byte by byte, whatever the locale.",
      .files = "SUMMARY is a few lines of text, for a later check.",
      .examples = {{"sortie-check --format=lines sorted.txt", "are its lines in order?"},
                   {"sortie-check -i big.dat sorted.dat", "is it in order, and does it hold the records of big.dat?"},
                   {"sortie-check --summary=sum big.dat",
                    "sums an input up, for --compare=sum when it is sorted in place"}},
      .options = po::options_description("Options", 110),
      .operands = {},
      .operand_order = {}};
  command_line.options.add_options()("format", po::value<std::string>()->default_value("gensort")->value_name("FORMAT"),
                                     "lines, fixed:BYTES, prefixed, gensort, u32, i32, u64, i64, f32 or f64")(
      "field", po::value<std::vector<std::string>>()->value_name("FIELD"),
      "TYPE@OFFSET[:LENGTH][:desc], a field of a fixed record; repeatable, most significant first")(
      "reverse,r", po::bool_switch(), "expect descending order")("zero-terminated,z", po::bool_switch(),
                                                                 "lines end with a zero byte")(
      "summary,o", po::value<std::string>()->default_value("")->value_name("SUMMARY"),
      "write count and checksum of FILE, sorted or not, to SUMMARY")(
      "compare", po::value<std::string>()->default_value("")->value_name("SUMMARY"),
      "expect the records that SUMMARY was made of")("input,i",
                                                     po::value<std::vector<std::string>>()->value_name("INPUT"),
                                                     "expect the records of INPUT, in whatever order; repeatable")(
      "threads,t", po::value<std::string>()->default_value("0")->value_name("N"), "threads; 0: all there are");
  command_line.operands.add_options()("FILE", po::value<std::string>());
  command_line.operand_order.add("FILE", 1);
  return command_line;
}

std::vector<std::string> texts(const po::variables_map& values, const char* name) {
  return values.count(name) != 0 ? values[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

Format format_of(const po::variables_map& values) {
  Format format = parse_format(values["format"].as<std::string>());
  const std::vector<std::string> fields = texts(values, "field");
  if (!fields.empty()) format.fields.clear();
  for (const std::string& field : fields) format.fields.push_back(parse_field(field));
  format.descending = values["reverse"].as<bool>();
  if (values["zero-terminated"].as<bool>()) {
    if (format.kind != RecordKind::kLines) throw Error("-z is for lines; add --format=lines or leave it out");
    format.delimiter = '\0';
  }
  return format;
}

}  // namespace

std::optional<CheckOptions> parse_check_options(int argc, const char* const* argv) {
  const auto values = parse_command_line(describe_command_line(), argc, argv);
  if (!values) return std::nullopt;
  CheckOptions options;
  options.format = format_of(*values);
  options.file = required_operand(*values, "FILE", kName);
  options.summary_path = (*values)["summary"].as<std::string>();
  options.compare_path = (*values)["compare"].as<std::string>();
  options.inputs = texts(*values, "input");
  options.threads = parse_threads((*values)["threads"].as<std::string>());
  if (!options.summary_path.empty() && (!options.compare_path.empty() || !options.inputs.empty())) {
    throw Error("--summary only sums up FILE; leave it out to compare");
  }
  return options;
}

}  // namespace sortie::tools
