// Plans that commands read: bounds, slices of runs, ranges that are cut into files, and the header of all inputs.
#include <cstdint>
#include <limits>

#include <sortie/error.hpp>
#include <sortie/join_shards.hpp>
#include <sortie/shard.hpp>

#include "pipeline/shard/checked_json.hpp"
#include "pipeline/shard/shard_json.hpp"

namespace sortie {
namespace {

using checked_json::bytes_of;
using checked_json::count_of;
using checked_json::hex_of;
using checked_json::list_of;
using checked_json::optional_of;

std::int64_t run_of_bound(const Json& json) {
  if (json.is_number_integer() && json == -1) return -1;
  const std::uint64_t run = count_of(json);
  if (run > std::numeric_limits<std::uint32_t>::max()) throw Error("the number of a run that is too large");
  return static_cast<std::int64_t>(run);
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

}  // namespace

std::string parse_inputs_header(const std::string& text, const std::string& file) {
  return checked_json::parse(text, file, [](const Json& json) { return bytes_of(json.at("header")); });
}

BoundList parse_bounds(const std::string& text, const std::string& file) {
  return checked_json::parse(text, file, [](const Json& json) {
    BoundList list;
    list.bounds = list_of(json.at("bounds"), bound_of);
    if (json.contains("header")) list.header = bytes_of(json.at("header"));
    return list;
  });
}

SlicePlan parse_slice_plan(const std::string& text, const std::string& file) {
  return checked_json::parse(text, file, slice_plan_of);
}

RangesPlan parse_ranges_plan(const std::string& text, const std::string& file) {
  return checked_json::parse(text, file, [](const Json& json) {
    return RangesPlan{bytes_of(json.at("header")), json.at("are_framed"), list_of(json.at("ranges"), stretch_of)};
  });
}

JoinSlicePlan parse_join_slice_plan(const std::string& text, const std::string& file) {
  return checked_json::parse(text, file, [](const Json& json) {
    const Json& right = json.at("right");
    return JoinSlicePlan{slice_plan_of(json), count_of(right.at("first_run")), bytes_of(right.at("header")),
                         optional_of(json.at("first"), bytes_of), optional_of(right.at("first"), bytes_of)};
  });
}

std::vector<std::vector<std::string>> parse_run_lists(const std::string& text, const std::string& file) {
  return checked_json::parse(text, file, [](const Json& json) {
    return list_of<std::vector<std::string>>(json.at("shards"), [](const Json& shard) {
      return list_of<std::string>(shard.at("runs"), [](const Json& run) { return run.at(0).get<std::string>(); });
    });
  });
}

}  // namespace sortie
