#include "pipeline/shard/shard_json.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <sortie/error.hpp>
#include <sortie/join_shards.hpp>

#include "base/base64.hpp"
#include "base/checksum.hpp"
#include "base/json.hpp"
#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "pipeline/checkpoint/manifest.hpp"

namespace sortie {
namespace {

constexpr int kVersion = 1;

// Values that are checked as they are read. Each function throws Error that ends a message beginning with "it holds".

/// Bytes in base64.
std::string bytes_of(const Json& json) {
  const std::optional<std::string> bytes = from_base64(json.get_ref<const std::string&>());
  if (!bytes) throw Error("bytes that are not in base64");
  return *bytes;
}

/// A count, a length or an offset.
std::uint64_t count_of(const Json& json) {
  if (!json.is_number_unsigned()) throw Error("a number that is negative, too large, or no integer");
  return json;
}

/// A number in hexadecimal digits.
std::uint64_t hex_of(const Json& json) {
  const auto& digits = json.get_ref<const std::string&>();
  const std::optional<std::uint64_t> value = whole_number<std::uint64_t>(digits, 16);
  if (!value) throw Error("a checksum that is no hexadecimal number");
  return *value;
}

Checksum checksum_of(const Json& json) {
  WordCursor cursor(json.get_ref<const std::string&>());
  const Checksum checksum = cursor.checksum();
  if (!cursor.complete()) throw Error("a checksum that has not 32 hexadecimal digits");
  return checksum;
}

/// Nothing for null.
template <class Value>
std::optional<Value> optional_of(const Json& json, Value (*value_of)(const Json&)) {
  return json.is_null() ? std::nullopt : std::optional(value_of(json));
}

template <class Value>
std::vector<Value> list_of(const Json& json, Value (*value_of)(const Json&)) {
  if (!json.is_array()) throw Error("something that is no list in place of one");
  std::vector<Value> values;
  for (const Json& item : json) values.push_back(value_of(item));
  return values;
}

/// Calls read(json) for the text. Whatever is wrong with it becomes an Error that names the file.
template <class Read>
auto parse(const std::string& text, const std::string& file, const Read& read) {
  const auto refuse = [&](const char* why) -> Error {
    return Error("file " + quote_path(file) + " cannot be used: " + escape_unprintable(why));
  };
  try {
    return read(parse_json(text));
  } catch (const Json::parse_error&) {
    throw refuse("it is no JSON");
  } catch (const Json::out_of_range&) {
    throw refuse("it lacks something that must be in it");
  } catch (const Json::exception&) {
    throw refuse("something in it is of another kind than it must be");
  } catch (const Error& error) {
    throw refuse((std::string("it holds ") + error.what()).c_str());
  }
}

// Parts of the objects, each in both directions.

std::int64_t run_of_bound(const Json& json) {
  if (json.is_number_integer() && json == -1) return -1;
  const std::uint64_t run = count_of(json);
  if (run > std::numeric_limits<std::uint32_t>::max()) throw Error("the number of a run that is too large");
  return static_cast<std::int64_t>(run);
}

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

RunCut cut_of(const Json& json) {
  return {count_of(json.at("block")),       count_of(json.at("block_bytes")),  count_of(json.at("records")),
          count_of(json.at("bytes")),       count_of(json.at("output_bytes")), count_of(json.at("stored_begin")),
          count_of(json.at("stored_end")),  count_of(json.at("index_begin")),  count_of(json.at("index_end")),
          hex_of(json.at("index_checksum"))};
}

SliceBound bound_of(const Json& json) {
  return {bytes_of(json.at("record")), run_of_bound(json.at("run")), count_of(json.at("block")),
          count_of(json.at("block_bytes"))};
}

RunSlicePlan slice_of(const Json& json) {
  return {json.at("path"), count_of(json.at("run")), cut_of(json.at("begin")), cut_of(json.at("end"))};
}

SliceSource source_of(const Json& json) {
  return {json.at("runs"), json.at("cuts"), count_of(json.at("part")), count_of(json.at("parts"))};
}

Json to_value(const std::optional<ShardFirst>& first) {
  return first ? Json({{"key", first->key}, {"record", to_base64(first->record)}}) : Json();
}

ShardFirst first_of(const Json& json) { return {json.at("key"), bytes_of(json.at("record"))}; }

SlicePlan slice_plan_of(const Json& json) {
  SlicePlan plan;
  plan.begin = optional_of(json.at("begin"), bound_of);
  plan.end = optional_of(json.at("end"), bound_of);
  plan.header = bytes_of(json.at("header"));
  plan.writes_header = json.value("writes_header", false);
  plan.writes_payloads = json.value("writes_payloads", false);
  plan.most_records = json.value("most_records", std::uint64_t{0});
  plan.for_files = json.value("for_files", false);
  if (json.contains("source")) {
    plan.source = source_of(json.at("source"));
  } else {
    plan.slices = list_of(json.at("runs"), slice_of);
  }
  return plan;
}

RangeStretch stretch_of(const Json& json) {
  return {json.at("path"), count_of(json.at("begin")), count_of(json.at("bytes"))};
}

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
                    {"is_framed", report.is_framed}});
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
  return parse(text, file, [&text](const Json& json) {
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

std::string parse_inputs_header(const std::string& text, const std::string& file) {
  return parse(text, file, [](const Json& json) { return bytes_of(json.at("header")); });
}

BoundList parse_bounds(const std::string& text, const std::string& file) {
  return parse(text, file, [](const Json& json) {
    BoundList list;
    list.bounds = list_of(json.at("bounds"), bound_of);
    if (json.contains("header")) list.header = bytes_of(json.at("header"));
    return list;
  });
}

SlicePlan parse_slice_plan(const std::string& text, const std::string& file) {
  return parse(text, file, slice_plan_of);
}

RangesPlan parse_ranges_plan(const std::string& text, const std::string& file) {
  return parse(text, file, [](const Json& json) {
    return RangesPlan{bytes_of(json.at("header")), json.at("are_framed"), list_of(json.at("ranges"), stretch_of)};
  });
}

JoinSlicePlan parse_join_slice_plan(const std::string& text, const std::string& file) {
  return parse(text, file, [](const Json& json) {
    const Json& right = json.at("right");
    return JoinSlicePlan{slice_plan_of(json), count_of(right.at("first_run")), bytes_of(right.at("header")),
                         optional_of(json.at("first"), bytes_of), optional_of(right.at("first"), bytes_of)};
  });
}

std::vector<std::vector<std::string>> parse_run_lists(const std::string& text, const std::string& file) {
  return parse(text, file, [](const Json& json) {
    return list_of<std::vector<std::string>>(json.at("shards"), [](const Json& shard) {
      return list_of<std::string>(shard.at("runs"), [](const Json& run) { return run.at(0).get<std::string>(); });
    });
  });
}

}  // namespace sortie
