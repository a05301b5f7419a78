#include "tools/check/summary.hpp"

#include <sortie/error.hpp>

#include "base/json.hpp"
#include "base/quote.hpp"
#include "io/input/input.hpp"
#include "io/input/open_input.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "tools/common/record_checksum.hpp"

namespace sortie::tools {
namespace {

constexpr std::size_t kMaxSummaryBytes = 64 << 10;

std::string describe(const Layout& layout) {
  if (layout.prefixed()) return "length-prefixed records";
  if (!layout.delimited()) return "records of " + std::to_string(layout.record_bytes) + " bytes";
  return "records ended by byte " + std::to_string(static_cast<unsigned char>(layout.delimiter));
}

}  // namespace

Summary make_summary(const Layout& layout, const Tally& tally) {
  return {layout, tally.records, tally.bytes, tally.checksum};
}

std::string to_json(const Summary& summary) {
  return indented_json_text({{"record_bytes", summary.layout.record_bytes},
                             {"delimiter", static_cast<unsigned char>(summary.layout.delimiter)},
                             {"prefixed", summary.layout.prefixed()},
                             {"records", summary.records},
                             {"bytes", summary.bytes},
                             {"checksum", checksum_to_hex(summary.checksum)}}) +
         "\n";
}

Summary summary_from_json(const std::string& text, const std::string& name) {
  try {
    const Json json = parse_json(text);
    Summary summary;
    json.at("record_bytes").get_to(summary.layout.record_bytes);
    summary.layout.delimiter = static_cast<char>(json.at("delimiter").get<unsigned char>());
    // Summaries of former versions know of no such records.
    if (json.value("prefixed", false)) summary.layout.framing = Framing::kPrefixed;
    json.at("records").get_to(summary.records);
    json.at("bytes").get_to(summary.bytes);
    summary.checksum = checksum_from_hex(json.at("checksum").get<std::string>());
    return summary;
  } catch (const Json::exception&) {
    throw Error(name + " is not a summary; make one with 'sortie-check --summary=FILE'");
  }
}

void write_summary(FileSystem& files, const std::string& path, const Summary& summary) {
  const auto output = open_output(files, path);
  const std::string json = to_json(summary);
  output->write(std::as_bytes(std::span(json)));
  output->finish();
}

Summary read_summary(FileSystem& files, const std::string& path) {
  std::string text(kMaxSummaryBytes, '\0');
  text.resize(open_input(files, path)->read(std::as_writable_bytes(std::span(text))));
  return summary_from_json(text, quote_path(path));
}

std::optional<std::string> describe_difference(const Summary& output, const Summary& input) {
  if (output.layout != input.layout) {
    throw Error("the input was summed up as " + describe(input.layout) + ", this file has " + describe(output.layout) +
                "; give both the same --format");
  }
  if (output.records != input.records) {
    return "there are " + std::to_string(output.records) + " records, the input has " + std::to_string(input.records);
  }
  if (output.checksum != input.checksum || output.bytes != input.bytes) {
    return "the records are not those of the input: checksum " + checksum_to_hex(output.checksum) + ", the input has " +
           checksum_to_hex(input.checksum);
  }
  return std::nullopt;
}

}  // namespace sortie::tools
