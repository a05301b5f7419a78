// sortie-check: checks whether a file is sorted, and whether its records are those of the input.
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/format.hpp>

#include "io/files/file_uses.hpp"
#include "io/input/open_input.hpp"
#include "tools/check/file_scan.hpp"
#include "tools/check/summary.hpp"
#include "tools/common/record_checksum.hpp"
#include "tools/common/tool_command_line.hpp"

namespace sortie::tools {
namespace {

struct CheckOptions {
  Format format;
  std::string file;                 ///< path, or "-" for standard input
  std::string summary_path;         ///< summary to write; empty if the order is checked
  std::string compare_path;         ///< summary of the input; empty if there is none
  std::vector<std::string> inputs;  ///< files whose sorted records `file` should hold; not compared if empty
  unsigned threads = 0;             ///< 0 for all
};

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
      .operands = {"FILE"}};
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

/// Nothing if --help or --version was given and answered. Throws Error.
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

constexpr int kInOrder = 0;
constexpr int kOutOfOrder = 1;

Tally scan_file(FileSystem& files, const std::string& path, const CheckedOrder& order, const ScanOptions& options) {
  const auto warn = [](const std::string& message) {
    std::fprintf(stderr, "sortie-check: warning: %s\n", message.c_str());
  };
  const Unpacking unpacking =
      !order.layout().prefixed() && order.layout().delimited() ? Unpacking::kByMagic : Unpacking::kIfSure;
  return scan_input(*open_input(files, path, unpacking, kMaxWindowBytes, warn), order, options);
}

std::string describe_contents(const Tally& tally) {
  return "Records: " + std::to_string(tally.records) + "\nChecksum: " + checksum_to_hex(tally.checksum) + "\n";
}

int report_order(const Tally& tally) {
  if (tally.unordered != 0) {
    print(stderr, "First unordered record is record " + std::to_string(tally.first_unordered) + "\n" +
                      describe_contents(tally) + "ERROR - there are " + std::to_string(tally.unordered) +
                      " unordered records\n");
    return kOutOfOrder;
  }
  print(stderr, describe_contents(tally) + "Duplicate keys: " + std::to_string(tally.duplicates) +
                    "\nSUCCESS - all records are in order\n");
  return kInOrder;
}

int report_difference(const Summary& output, const Summary& input) {
  if (const auto difference = describe_difference(output, input)) {
    print(stderr, "ERROR - " + *difference + "\n");
    return kOutOfOrder;
  }
  print(stderr, "SUCCESS - the records are those of the input\n");
  return kInOrder;
}

/// Throws Error if the summary would overwrite the file that is checked.
void refuse_summary_over_file(FileSystem& files, const CheckOptions& options) {
  const std::string& path = options.summary_path;
  refuse_shared_targets(files, {{FileUse::Kind::kTarget, path == "-" ? "/dev/stdout" : path, "the summary"},
                                {FileUse::Kind::kInput, options.file, "the file that is checked"}});
}

int sum_up(FileSystem& files, const CheckOptions& options, const CheckedOrder& order) {
  refuse_summary_over_file(files, options);
  const Tally tally =
      scan_file(files, options.file, order, {.depth = ScanDepth::kContents, .threads = options.threads});
  write_summary(files, options.summary_path, make_summary(order.layout(), tally));
  print(stderr, describe_contents(tally));
  return kInOrder;
}

Summary sum_up_inputs(FileSystem& files, const CheckOptions& options, const CheckedOrder& order) {
  Tally total;
  for (const std::string& input : options.inputs) {
    total += scan_file(files, input, order, {.depth = ScanDepth::kContents, .threads = options.threads});
  }
  return make_summary(order.layout(), total);
}

int check(int argc, const char* const* argv) {
  const std::optional<CheckOptions> options = parse_check_options(argc, argv);
  if (!options) return kInOrder;
  const CheckedOrder order(options->format);
  const auto files = make_posix_file_system();
  if (!options->summary_path.empty()) return sum_up(*files, *options, order);

  const Tally tally = scan_file(*files, options->file, order, {.threads = options->threads});
  int status = report_order(tally);
  const Summary summary = make_summary(order.layout(), tally);
  if (!options->compare_path.empty()) status |= report_difference(summary, read_summary(*files, options->compare_path));
  if (!options->inputs.empty()) status |= report_difference(summary, sum_up_inputs(*files, *options, order));
  return status;
}

}  // namespace
}  // namespace sortie::tools

int main(int argc, char** argv) {
  return sortie::tools::run_tool("sortie-check", "use fewer threads with --threads",
                                 [&] { return sortie::tools::check(argc, argv); });
}
