// The report for programs: --stats-json.
#include <sortie/report.hpp>

#include "base/json.hpp"

namespace sortie {
namespace {

double rate(std::uint64_t bytes, double seconds) { return seconds > 0 ? static_cast<double>(bytes) / seconds : 0; }

}  // namespace

// The library of JSON finds these by their arguments.

static void to_json(Json& json, const ResourceReport& resource) {
  json = {{"name", resource.name},
          {"bytes", resource.bytes},
          {"busy_seconds", resource.busy_seconds},
          {"bytes_per_second", rate(resource.bytes, resource.busy_seconds)},
          {"share", resource.share}};
}

static void to_json(Json& json, const PhaseReport& phase) {
  json = {{"name", phase.name}, {"seconds", phase.seconds}, {"resources", phase.resources}};
}

static void to_json(Json& json, const StageReport& stage) {
  json = {{"name", stage.name},
          {"bytes", stage.bytes},
          {"busy_seconds", stage.busy_seconds},
          {"bytes_per_second", rate(stage.bytes, stage.busy_seconds)}};
}

static void to_json(Json& json, const Assumption& assumption) {
  json = {{"kind", assumption.kind},
          {"message", assumption.message},
          {"count", assumption.count},
          {"of", assumption.of},
          {"first_place", assumption.first_place}};
}

static void to_json(Json& json, const SortPhases& sort) {
  json = {{"name", sort.name}, {"begin_seconds", sort.begin_seconds}, {"phases", sort.phases}};
}

namespace {

void add_work(Json& json, const WorkReport& report) {
  json["phases"] = report.phases;
  json["sorts"] = report.sorts;
  json["resources"] = report.resources;
  json["stages"] = report.stages;
}

Json sort_json(const SortReport& report) {
  Json json = {
      {"engine", report.engine},
      {"engine_reason", report.engine_reason},
      {"device_failure", report.device_failure},
      {"input_records", report.input_records},
      {"input_bytes", report.input_bytes},
      {"output_records", report.output_records},
      {"output_bytes", report.output_bytes},
      {"verified", report.verified},
      {"checksum", to_string(report.checksum)},
      {"runs", report.runs},
      {"runs_spilled", report.runs_spilled},
      {"runs_resumed", report.runs_resumed},
      {"merge_passes", report.merge_passes},
      {"windows", report.windows},
      {"run_bytes", report.run_bytes},
      {"stored_bytes", report.stored_bytes},
      {"compression_ratio", report.compression_ratio()},
      {"scratch_peak_bytes", report.scratch_peak_bytes},
      {"memory_budget_bytes", report.memory_budget_bytes},
      {"memory_peak_bytes", report.memory_peak_bytes},
      {"device_budget_bytes", report.device_budget_bytes},
      {"devices", report.devices},
      {"start_seconds", report.start_seconds},
      {"formation_seconds", report.formation_seconds},
      {"merge_seconds", report.merge_seconds},
      {"elapsed_seconds", report.elapsed_seconds},
      {"assumptions", report.assumptions},
  };
  add_work(json, report);
  return json;
}

}  // namespace

std::string to_json(const SortReport& report) { return indented_json_text(sort_json(report)); }

std::string to_json(const JoinReport& report) {
  Json json = {
      {"output_records", report.output_records},
      {"output_bytes", report.output_bytes},
      {"runs_spilled", report.runs_spilled},
      {"merge_passes", report.merge_passes},
      {"scratch_peak_bytes", report.scratch_peak_bytes},
      {"memory_budget_bytes", report.memory_budget_bytes},
      {"memory_peak_bytes", report.memory_peak_bytes},
      {"elapsed_seconds", report.elapsed_seconds},
  };
  add_work(json, report);
  json["left"] = sort_json(report.left);
  json["right"] = sort_json(report.right);
  return indented_json_text(json);
}

}  // namespace sortie
