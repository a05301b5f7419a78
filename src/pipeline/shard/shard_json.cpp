#include "pipeline/shard/shard_json.hpp"

#include <optional>
#include <string_view>

#include <sortie/error.hpp>

#include "base/base64.hpp"
#include "base/checksum.hpp"
#include "base/json.hpp"
#include "pipeline/checkpoint/manifest.hpp"
#include "pipeline/shard/checked_json.hpp"

namespace sortie {
namespace {

using checked_json::bytes_of;
using checked_json::checksum_of;
using checked_json::count_of;
using checked_json::list_of;
using checked_json::optional_of;

constexpr int kVersion = 1;

// Parts of the objects, each in both directions.

Json to_value(const ShardTotals& totals) {
  return {{"records", totals.records}, {"bytes", totals.bytes}, {"checksum", to_string(totals.checksum)}};
}

ShardTotals totals_of(const Json& json) {
  return {count_of(json.at("records")), count_of(json.at("bytes")), checksum_of(json.at("checksum"))};
}

Json to_value(const ShardRun& run) {
  return {{"file", run.file},
          {"file_bytes", run.file_bytes},
          {"records", run.records},
          {"record_bytes", run.record_bytes},
          {"output_bytes", run.output_bytes},
          {"blocks", run.blocks}};
}

ShardRun run_of(const Json& json) {
  return {json.at("file"),
          count_of(json.at("file_bytes")),
          count_of(json.at("records")),
          count_of(json.at("record_bytes")),
          count_of(json.at("output_bytes")),
          count_of(json.at("blocks"))};
}

Json to_value(const ShardSample& sample) {
  return {{"run", sample.run},
          {"block", sample.block},
          {"output_bytes", sample.output_bytes},
          {"key", sample.key},
          {"record", to_base64(sample.record)},
          {"is_whole", sample.is_whole},
          {"block_bytes", sample.block_bytes}};
}

ShardSample sample_of(const Json& json) {
  return {count_of(json.at("run")),    count_of(json.at("block")), count_of(json.at("output_bytes")), json.at("key"),
          bytes_of(json.at("record")), json.at("is_whole"),        count_of(json.at("block_bytes"))};
}

Json to_value(const ShardAssumption& assumption) {
  return {{"kind", assumption.kind}, {"subject", assumption.subject},         {"some", assumption.some},
          {"all", assumption.all},   {"only_if_all", assumption.only_if_all}, {"count", assumption.count},
          {"of", assumption.of},     {"first_place", assumption.first_place}, {"only_with", assumption.only_with}};
}

ShardAssumption assumption_of(const Json& json) {
  return {json.at("kind"),         json.at("subject"),     json.at("some"),
          json.at("all"),          json.at("only_if_all"), count_of(json.at("count")),
          count_of(json.at("of")), json.at("first_place"), json.at("only_with")};
}

Json to_value(const InputExtent& extent) {
  return {{"header_bytes", extent.header_bytes},
          {"record_bytes", extent.record_bytes ? Json(*extent.record_bytes) : Json()}};
}

Json to_value(const RunCut& cut) {
  return {{"block", cut.block},
          {"block_bytes", cut.block_bytes},
          {"records", cut.records},
          {"bytes", cut.bytes},
          {"output_bytes", cut.output_bytes},
          {"stored_begin", cut.stored_begin},
          {"stored_end", cut.stored_end},
          {"index_begin", cut.index_begin},
          {"index_end", cut.index_end},
          {"index_checksum", hex_digits(cut.index_checksum)}};
}

Json to_value(const std::optional<ShardFirst>& first) {
  return first ? Json({{"key", first->key}, {"record", to_base64(first->record)}}) : Json();
}

ShardFirst first_of(const Json& json) { return {json.at("key"), bytes_of(json.at("record"))}; }

template <class Value>
Json to_list(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(to_value(value));
  return list;
}

Json to_value(const ShardReport& report) {
  return {{"version", kVersion},
          {"identity", report.identity},
          {"locale", report.locale},
          {"input", to_value(report.input)},
          {"dropped", to_value(report.dropped)},
          {"header", to_base64(report.header)},
          {"header_form", to_base64(report.header_form)},
          {"divides_equal_keys", report.divides_equal_keys},
          {"runs", to_list(report.runs)},
          {"samples", to_list(report.samples)},
          {"assumptions", to_list(report.assumptions)},
          {"first", to_value(report.first)}};
}

/// In front of the checksum of all that is in front of it.
constexpr std::string_view kChecksumName = ",\"checksum\":\"";

void require_checksum(const std::string& text, const Json& json) {
  const std::string_view front = std::string_view(text).substr(0, text.rfind(kChecksumName));
  const Checksum checksum = hash_record(std::as_bytes(std::span(front)));
  if (json.at("checksum") != to_string(checksum))
    throw Error("what was changed since it was written");  // behind "it holds "
}

}  // namespace

std::string to_json(const ShardReport& report) { return json_text(to_value(report)); }

std::string to_json(const InputsHeader& header) {
  return json_text({{"version", kVersion},
                    {"header", to_base64(header.header)},
                    {"assumptions", to_list(header.assumptions)},
                    {"extents", to_list(header.extents)}});
}

std::string to_json(const RunCuts& cuts, std::uint64_t run) {
  return json_text({{"version", kVersion}, {"identity", cuts.identity}, {"run", run}, {"cuts", to_list(cuts.cuts)}});
}

std::string to_json(const ShardCuts& cuts) {
  return json_text({{"version", kVersion},
                    {"identity", cuts.identity},
                    {"records", cuts.records},
                    {"output_bytes", cuts.output_bytes},
                    {"file_bytes", cuts.file_bytes}});
}

std::string to_json(const SliceReport& report) {
  return json_text({{"version", kVersion},
                    {"identity", report.identity},
                    {"input", to_value(report.input)},
                    {"output", to_value(report.output)},
                    {"dropped", to_value(report.dropped)},
                    {"grouped", to_value(report.grouped)},
                    {"passed_on", to_value(report.passed_on)},
                    {"file_bytes", report.file_bytes},
                    {"file_checksum", to_string(report.file_checksum)},
                    {"is_framed", report.is_framed},
                    {"begins", report.begins}});
}

std::string to_json(const RangesReport& report) {
  Json checksums = Json::array();
  for (const Checksum& checksum : report.checksums) checksums.push_back(to_string(checksum));
  return json_text({{"version", kVersion}, {"checksums", checksums}});
}

std::string shard_file(const ShardReport& report, const std::string& request) {
  Json json = to_value(report);
  json["request"] = request;
  std::string text = json_text(json);
  text.pop_back();
  return text + std::string(kChecksumName) + to_string(hash_record(std::as_bytes(std::span(text)))) + "\"}\n";
}

ShardFile parse_shard_file(const std::string& text, const std::string& file) {
  return checked_json::parse(text, file, [&text](const Json& json) {
    require_checksum(text, json);
    ShardFile shard;
    if (json.at("version") != kVersion) throw Error("another version of the format");
    shard.request = json.at("request");
    shard.report.identity = json.at("identity");
    shard.report.locale = json.at("locale");
    shard.report.input = totals_of(json.at("input"));
    shard.report.dropped = totals_of(json.at("dropped"));
    shard.report.header = bytes_of(json.at("header"));
    shard.report.header_form = bytes_of(json.at("header_form"));
    shard.report.divides_equal_keys = json.at("divides_equal_keys");
    shard.report.runs = list_of(json.at("runs"), run_of);
    shard.report.samples = list_of(json.at("samples"), sample_of);
    if (json.contains("assumptions")) shard.report.assumptions = list_of(json.at("assumptions"), assumption_of);
    if (json.contains("first")) shard.report.first = optional_of(json.at("first"), first_of);
    return shard;
  });
}

}  // namespace sortie
